//@ verdict: race-free
//@ about: histogram with atomic bins
#include <assert.h>
#define N 800
#define BINS 16

int main(void)
{
    unsigned char pixel[N];
    int bin[BINS] = {0};
    for (int i = 0; i < N; i++)
        pixel[i] = (unsigned char)(i * 7 + i / 3);
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp atomic
        bin[pixel[i] / 16]++;
    }
    int total = 0;
    for (int b = 0; b < BINS; b++)
        total += bin[b];
    assert(total == N);
    return 0;
}
