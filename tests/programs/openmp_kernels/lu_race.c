//@ verdict: race
//@ race: a[*][*] 18 22
//@ about: LU decomposition in one region: nowait lets the update use multipliers that are not there yet
#include <stdio.h>
#define N 40

static double a[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i == j ? N : 1.0 / (1 + i + j);
#pragma omp parallel
    for (int k = 0; k < N - 1; k++) {
#pragma omp for nowait
        for (int i = k + 1; i < N; i++)
            a[i][k] /= a[k][k];
#pragma omp for
        for (int i = k + 1; i < N; i++)
            for (int j = k + 1; j < N; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
    printf("%g\n", a[N - 1][N - 1]);
    return 0;
}
