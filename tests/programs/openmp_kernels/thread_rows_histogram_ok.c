//@ verdict: race-free
//@ about: a histogram for each thread, chosen by thread number, added up by bins in a second loop
#include <omp.h>
#include <stdio.h>
#define N 800
#define BINS 16

static int part[64][BINS], hist[BINS];

int main(void)
{
    int threads = 1;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
#pragma omp single
        threads = omp_get_num_threads();
#pragma omp for
        for (int i = 0; i < N; i++)
            part[me][(i * i) % BINS]++;
#pragma omp for
        for (int b = 0; b < BINS; b++)
            for (int t = 0; t < threads; t++)
                hist[b] += part[t][b];
    }
    for (int b = 0; b < BINS; b++)
        printf("%d\n", hist[b]);
    return 0;
}
