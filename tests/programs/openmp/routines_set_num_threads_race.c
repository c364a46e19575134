//@ verdict: race
//@ race: n 13 13
//@ about: omp_set_num_threads(3)
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
    omp_set_num_threads(3);
#pragma omp parallel
    for (int k = 0; k < 100; k++)
        n++;
    printf("%d\n", n);
    return 0;
}
