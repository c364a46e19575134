//@ verdict: race-free
//@ about: simd: independent lanes
#include <assert.h>
#define N 256

int main(void)
{
    float x[N], y[N];
    for (int i = 0; i < N; i++)
        x[i] = (float)i;
#pragma omp simd
    for (int i = 0; i < N; i++)
        y[i] = 2.0f * x[i] + 1.0f;
    for (int i = 0; i < N; i++)
        assert(y[i] == 2.0f * (float)i + 1.0f);
    return 0;
}
