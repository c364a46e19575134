//@ verdict: race-free
//@ about: LU decomposition in one region with the barriers of both loops
#include <assert.h>
#define N 30

static double a[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i >= j ? 1.0 : 0.0;
    a[0][N - 1] = 8.0;
#pragma omp parallel
    for (int k = 0; k < N - 1; k++) {
#pragma omp for
        for (int i = k + 1; i < N; i++)
            a[i][k] /= a[k][k];
#pragma omp for
        for (int i = k + 1; i < N; i++)
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
    assert(a[0][N - 1] == 8.0 && a[1][N - 1] == -8.0);
    return 0;
}
