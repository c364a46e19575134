//@ verdict: race-free
//@ about: nested parallel regions: rows outside, a reduction over each row inside
#include <assert.h>
#include <omp.h>
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
#pragma omp parallel for num_threads(2) reduction(+ : s)
        for (int j = 0; j < N; j++)
            s += a[i][j];
        sum[i] = s;
    }
    for (int i = 0; i < N; i++)
        assert(sum[i] == i * (double)N + 0.5 * N * (N - 1) / 2);
    return 0;
}
