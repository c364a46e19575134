//@ verdict: race
//@ race: total 13 14
//@ about: for reduction: the master sets the variable, but nothing keeps the others from combining first
#include <stdio.h>
#define N 128

int main(void)
{
    long total;
#pragma omp parallel
    {
#pragma omp master
        total = 100;
#pragma omp for reduction(+ : total)
        for (int k = 0; k < N; k++)
            total += k;
    }
    printf("%ld\n", total);
    return 0;
}
