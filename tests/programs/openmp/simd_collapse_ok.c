//@ verdict: race-free
//@ about: simd collapse: every lane writes an element of its own
#include <assert.h>
#define N 4

int main(void)
{
    int a[N][N];
#pragma omp simd collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i * N + j;
    assert(a[N - 1][N - 1] == N * N - 1);
    return 0;
}
