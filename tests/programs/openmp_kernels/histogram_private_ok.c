//@ verdict: race-free
//@ about: histogram with a private copy for each thread, merged under critical
#include <assert.h>
#define N 800
#define BINS 16

int main(void)
{
    int value[N], bin[BINS] = {0};
    for (int i = 0; i < N; i++)
        value[i] = (i * 5) % BINS;
#pragma omp parallel
    {
        int mine[BINS] = {0};
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            mine[value[i]]++;
#pragma omp critical
        for (int b = 0; b < BINS; b++)
            bin[b] += mine[b];
    }
    for (int b = 0; b < BINS; b++)
        assert(bin[b] == N / BINS);
    return 0;
}
