//@ verdict: race
//@ race: first 13 15
//@ about: task priority: a hint, no order
#include <stdio.h>

int main(void)
{
    int first = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(first) priority(10)
        first = 1;
#pragma omp task shared(first) priority(0)
        first = 2;
    }
    printf("%d\n", first);
    return 0;
}
