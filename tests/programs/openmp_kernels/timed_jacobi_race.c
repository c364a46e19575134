//@ verdict: race
//@ race: u[*][*] 19 19
//@ about: Jacobi steps in place, timed: neighbours are read while others write them
#include <omp.h>
#include <stdio.h>
#define N 50

static double u[N][N];

int main(void)
{
    for (int j = 0; j < N; j++)
        u[0][j] = 100.0;
    double begin = omp_get_wtime();
    for (int step = 0; step < 5; step++) {
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
    }
    printf("%f after %f s\n", u[1][1], omp_get_wtime() - begin);
    return 0;
}
