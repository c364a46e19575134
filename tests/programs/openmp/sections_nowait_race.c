//@ verdict: race
//@ race: left 14 19
//@ about: sections nowait: what follows may run before the sections are done
#include <stdio.h>

int main(void)
{
    int left = 0, right = 0, sum = 0;
#pragma omp parallel
    {
#pragma omp sections nowait
        {
#pragma omp section
            left = 3;
#pragma omp section
            right = 4;
        }
#pragma omp single
        sum = left;
    }
    printf("%d %d\n", sum, right);
    return 0;
}
