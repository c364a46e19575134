//@ verdict: race-free
//@ about: nested parallel for: rows outside, columns inside
#include <assert.h>
#include <omp.h>
#define N 50

static int m[N][N];

int main(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < N; i++) {
#pragma omp parallel for num_threads(2)
        for (int j = 0; j < N; j++)
            m[i][j] = i * j;
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(m[i][j] == i * j);
    return 0;
}
