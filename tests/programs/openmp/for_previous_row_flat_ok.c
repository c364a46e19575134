//@ verdict: race-free
//@ about: for over rows: the first column is left out, so no row is left
#include <assert.h>
#define N 50

static double g[N * N];

int main(void)
{
    int i, j;
#pragma omp parallel for private(j)
    for (i = 1; i < N; i++)
        for (j = 1; j < N; j++)
            g[i * N + j] = g[i * N + j - 1] + 1.0;
    assert(g[N * N - 1] == N - 1);
    return 0;
}
