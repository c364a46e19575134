//@ verdict: race-free
//@ about: parallel for simd with a reduction
#include <assert.h>
#define N 500

int main(void)
{
    int x[N], dot = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 5;
#pragma omp parallel for simd reduction(+ : dot) schedule(static, 8)
    for (int i = 0; i < N; i++)
        dot += x[i] * x[i];
    assert(dot == 100 * (0 + 1 + 4 + 9 + 16));
    return 0;
}
