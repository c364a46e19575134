//@ verdict: race
//@ race: part[*][*] 19 22
//@ about: a histogram for each thread: the second loop begins before all threads have counted
#include <omp.h>
#include <stdio.h>
#define N 800
#define BINS 16

static int part[64][BINS], hist[BINS];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            // Nobody waits for the others here.
            part[me][(i * i) % BINS]++;
#pragma omp for
        for (int b = 0; b < BINS; b++)
            hist[b] = part[0][b] + part[1][b];
    }
    for (int b = 0; b < BINS; b++)
        printf("%d\n", hist[b]);
    return 0;
}
