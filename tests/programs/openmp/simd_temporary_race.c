//@ verdict: race
//@ race: t 16 16
//@ race: t 16 17
//@ about: simd: the lanes share a temporary
#include <stdio.h>
#define N 128

static float t;

int main(void)
{
    float x[N] = {0}, y[N];
#pragma omp simd
    for (int i = 0; i < N; i++) {
        t = x[i] * 2.0f;
        y[i] = t + 1.0f;
    }
    printf("%g\n", (double)y[0]);
    return 0;
}
