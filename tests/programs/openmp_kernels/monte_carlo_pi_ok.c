//@ verdict: race-free
//@ about: pi by random points: every iteration has a seed of its own for rand_r, the hits are a reduction
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define N 2000

int main(void)
{
    long hits = 0;
    double begin = omp_get_wtime();
#pragma omp parallel for reduction(+ : hits) schedule(dynamic, 50)
    for (int i = 0; i < N; i++) {
        unsigned seed = 12345u + (unsigned)i;
        double x = rand_r(&seed) / (double)RAND_MAX, y = rand_r(&seed) / (double)RAND_MAX;
        if (x * x + y * y <= 1.0)
            hits++;
    }
    double seconds = omp_get_wtime() - begin;
    printf("pi is about %f (%.3f s)\n", 4.0 * hits / N, seconds);
    return 0;
}
