//@ verdict: race
//@ race: n 13 13
//@ about: task: all tasks of a loop add to one variable
#include <stdio.h>

int main(void)
{
    int n = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(n)
        n += i;
    }
    printf("%d\n", n);
    return 0;
}
