//@ verdict: race-free
//@ about: for reduction over an array section
#include <assert.h>
#define N 400
#define BINS 10

int main(void)
{
    int bins[BINS] = {0};
#pragma omp parallel for reduction(+ : bins[ : BINS])
    for (int i = 0; i < N; i++)
        bins[(i * 7) % BINS]++;
    for (int b = 0; b < BINS; b++)
        assert(bins[b] == N / BINS);
    return 0;
}
