//@ verdict: race
//@ race: now[*]|next[*] 22 22
//@ about: P1 section 3.4: diffusion in one dimension, two allocations; a wrong exchange makes the pointers equal
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
    double *now = malloc(N * sizeof(double)), *next = malloc(N * sizeof(double));
    double *first = now, *second = next;
    for (int i = 0; i < N; i++)
        now[i] = next[i] = i == N / 2 ? 1024.0 : 0.0;
    for (int t = 0; t < STEPS; t++) {
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            next[i] = now[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
        next = now;
        now = next;
    }
    printf("%g\n", now[N / 2]);
    free(first);
    free(second);
    return 0;
}
