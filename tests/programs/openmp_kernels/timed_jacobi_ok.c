//@ verdict: race-free
//@ about: Jacobi steps until the change is small, timed; the change is a reduction that steers the loop
#include <math.h>
#include <omp.h>
#include <stdio.h>
#define N 50

static double u[N][N], w[N][N];

int main(void)
{
    for (int j = 0; j < N; j++)
        u[0][j] = w[0][j] = 100.0;
    double change = 1e9, begin = omp_get_wtime();
    int steps = 0;
    while (change > 5.0 && steps < 30) {
        change = 0;
#pragma omp parallel for reduction(max : change)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                w[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
                change = fmax(change, fabs(w[i][j] - u[i][j]));
            }
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[i][j] = w[i][j];
        steps++;
    }
    printf("%d steps, change %f, %f s\n", steps, change, omp_get_wtime() - begin);
    return 0;
}
