//@ verdict: race-free
//@ about: for over rows only: the dependence along the row stays inside one iteration
#include <assert.h>
#define N 50

static int m[N][N];

int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 1; j < N; j++)
            m[i][j] = m[i][j - 1] + 1;
    for (int i = 0; i < N; i++)
        assert(m[i][N - 1] == N - 1);
    return 0;
}
