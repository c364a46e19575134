//@ verdict: race-free
//@ about: LU decomposition without pivoting: the rows below the pivot are shared out
#include <assert.h>
#include <math.h>
#define N 40

static double a[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? N : 1.0 / (1 + i + j);
    double corner = a[0][0];
    for (int k = 0; k < N - 1; k++) {
#pragma omp parallel for
        for (int i = k + 1; i < N; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
    assert(a[0][0] == corner && fabs(a[N - 1][N - 1] - N) < 1.0);
    return 0;
}
