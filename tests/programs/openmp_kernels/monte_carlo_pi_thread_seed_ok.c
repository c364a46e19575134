//@ verdict: race-free
//@ about: pi by random points: every thread has a seed of its own, which goes on from one iteration to the next
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#define N 1000

int main(void)
{
    long hits = 0;
#pragma omp parallel reduction(+ : hits)
    {
        unsigned seed = 7u * (unsigned)omp_get_thread_num() + 1u;
#pragma omp for
        for (int i = 0; i < N; i++) {
            double x = rand_r(&seed) / (double)RAND_MAX, y = rand_r(&seed) / (double)RAND_MAX;
            hits += x * x + y * y <= 1.0;
        }
    }
    printf("pi is about %f\n", 4.0 * hits / N);
    return 0;
}
