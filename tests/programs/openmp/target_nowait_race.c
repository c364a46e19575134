//@ verdict: race
//@ race: box 13 14
//@ about: target nowait: the host goes on while the region runs
#include <stdio.h>

int main(void)
{
    int box = 0, got = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : box)
        box = 5;
        got = box;
    }
    printf("%d\n", got);
    return 0;
}
