//@ verdict: race
//@ race: both[*]|now[*]|next[*] 22 22
//@ about: P1 section 3.4: diffusion in one dimension, both copies in one allocation, and they overlap
#include <stdio.h>
#include <stdlib.h>
#ifndef N
#define N 100
#endif
#ifndef STEPS
#define STEPS 4
#endif

int main(void)
{
    double *both = calloc(2 * N, sizeof(double));
    both[N / 2] = both[N + N / 2] = 1024.0;
    int from = 0;
    for (int t = 0; t < STEPS; t++) {
        double *now = both + from * N, *next = both + (1 - from) * (N / 2);
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        from = 1 - from;
    }
    printf("%g\n", both[N / 2]);
    free(both);
    return 0;
}
