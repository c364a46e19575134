//@ verdict: race-free
//@ about: parallel master taskloop, master taskloop simd and taskloop simd
#include <assert.h>
#define N 120

int main(void)
{
    int a[N], b[N], c[N];
#pragma omp parallel master taskloop shared(a)
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp parallel
    {
#pragma omp master taskloop simd shared(a, b)
        for (int i = 0; i < N; i++)
            b[i] = a[i] + 1;
#pragma omp barrier
#pragma omp single
#pragma omp taskloop simd grainsize(16)
        for (int i = 0; i < N; i++)
            c[i] = b[i] + 1;
    }
    for (int i = 0; i < N; i++)
        assert(c[i] == i + 2);
    return 0;
}
