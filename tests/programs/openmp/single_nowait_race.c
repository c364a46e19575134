//@ verdict: race
//@ race: config 12 13
//@ about: single nowait: the others run on and read
#include <stdio.h>

int main(void)
{
    int config = 0, hits = 0;
#pragma omp parallel
    {
#pragma omp single nowait
        config = 77;
        int mine = config;
#pragma omp atomic
        hits += mine;
    }
    printf("%d\n", hits);
    return 0;
}
