//@ verdict: race-free
//@ about: task outside of any parallel region: the team has one thread
#include <stdio.h>

int main(void)
{
    int n = 0;
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(n)
        n += i;
    }
    n++;
#pragma omp taskwait
    printf("%d\n", n);
    return 0;
}
