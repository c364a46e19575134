//@ verdict: race-free
//@ about: explicit heat equation with the time loop inside the region; one thread exchanges the pointers
#include <assert.h>
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
            for (int i = 1; i < N - 1; i++)
                next[i] = now[i] + 0.25 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
#pragma omp single
            {
                double *swap = now;
                now = next;
                next = swap;
            }
        }
    }
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += now[i];
    assert(sum == 1024.0);
    free(now);
    free(next);
    return 0;
}
