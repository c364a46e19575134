//@ verdict: race
//@ race: total 13 13
//@ about: target firstprivate of a pointer: the copies point to one variable
#include <stdio.h>

int main(void)
{
    int total = 0;
    int *p = &total;
#pragma omp target firstprivate(p)
#pragma omp parallel num_threads(2)
    {
        *p += 1;
    }
    printf("%d\n", total);
    return 0;
}
