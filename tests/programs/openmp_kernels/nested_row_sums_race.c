//@ verdict: race
//@ race: s 21 21
//@ about: nested parallel regions: the sum of a row is shared by the inner team
#include <omp.h>
#include <stdio.h>
#define N 60

static double a[N][N], sum[N];

int main(void)
{
    omp_set_max_active_levels(2);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = i + 0.5 * j;
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < N; i++) {
        double s = 0;
#pragma omp parallel for num_threads(2)
        for (int j = 0; j < N; j++)
            s += a[i][j];
        sum[i] = s;
    }
    printf("%f\n", sum[N - 1]);
    return 0;
}
