//@ verdict: race-free
//@ about: for collapse(2): the inner bound depends on the outer index
#include <assert.h>
#define N 50

static int low[N][N];

int main(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++)
            low[i][j] = 1;
    int n = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            n += low[i][j];
    assert(n == N * (N - 1) / 2);
    return 0;
}
