//@ verdict: race
//@ races: at-least
//@ race: now 26 20
//@ race: now 26 21
//@ about: heat equation in one region; the exchange of the pointers is not followed by a barrier
#include <stdio.h>
#include <stdlib.h>
#define N 400
#define STEPS 5

int main(void)
{
    double *now = calloc(N, sizeof *now), *next = calloc(N, sizeof *next);
    now[N / 2] = next[N / 2] = 1024.0;
#pragma omp parallel
    {
        for (int t = 0; t < STEPS; t++) {
#pragma omp for
            for (int i = 1; i < N - 1; i++) {
                double here = now[i];
                next[i] = here + 0.25 * (now[i - 1] - 2.0 * here + now[i + 1]);
            }
#pragma omp single nowait
            {
                double *swap = now;
                now = next;
                next = swap;
            }
        }
    }
    printf("%g\n", now[N / 2]);
    free(now);
    free(next);
    return 0;
}
