//@ verdict: race
//@ race: bins[*] 15 15
//@ about: for reduction over an array section: elements outside the section stay shared
#include <stdio.h>
#define N 400
#define BINS 10

int main(void)
{
    int bins[BINS] = {0};
    int rest[2] = {0, 0};
#pragma omp parallel for reduction(+ : rest[0 : 1])
    for (int i = 0; i < N; i++) {
        rest[0] += i;
        bins[i % BINS]++;
    }
    printf("%d %d\n", bins[0], rest[0]);
    return 0;
}
