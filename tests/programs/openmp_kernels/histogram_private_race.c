//@ verdict: race
//@ race: bin[*] 22 22
//@ about: histogram with a private copy for each thread; the critical section covers one statement too few
#include <stdio.h>
#define N 800
#define BINS 16

int main(void)
{
    int value[N], bin[BINS] = {0}, merged = 0;
    for (int i = 0; i < N; i++)
        value[i] = (i * 5) % BINS;
#pragma omp parallel
    {
        int mine[BINS] = {0};
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            mine[value[i]]++;
#pragma omp critical
        merged++;
        for (int b = 0; b < BINS; b++)
            bin[b] += mine[b];
    }
    printf("%d %d\n", bin[0], merged);
    return 0;
}
