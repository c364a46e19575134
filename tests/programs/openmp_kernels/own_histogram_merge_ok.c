//@ verdict: race-free
//@ about: a histogram on the heap for each thread, merged in a critical section and freed, all without a barrier
#include <assert.h>
#include <stdlib.h>
#define N 512
#define BINS 16

static int data[N], total[BINS];

int main(void)
{
    for (int i = 0; i < N; i++)
        data[i] = i * 7 % BINS;
#pragma omp parallel
    {
        int *mine = calloc(BINS, sizeof *mine);
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            mine[data[i]]++;
#pragma omp critical
        for (int b = 0; b < BINS; b++)
            total[b] += mine[b];
        free(mine);
    }
    for (int b = 0; b < BINS; b++)
        assert(total[b] == N / BINS);
    return 0;
}
