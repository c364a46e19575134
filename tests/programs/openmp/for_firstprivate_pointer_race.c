//@ verdict: race
//@ race: total 14 14
//@ about: for firstprivate: every thread has its own pointer, but all point to one variable
#include <stdio.h>

int main(void)
{
    int total = 0;
    int *p = &total;
#pragma omp parallel num_threads(2)
    {
#pragma omp for firstprivate(p)
        for (int i = 0; i < 4; i++)
            *p += i;
    }
    printf("%d\n", total);
    return 0;
}
