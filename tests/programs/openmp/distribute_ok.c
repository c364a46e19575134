//@ verdict: race-free
//@ about: teams distribute: independent iterations, collapse and dist_schedule
#include <assert.h>
#define N 50

static int m[N][N], v[N];

int main(void)
{
#pragma omp teams num_teams(2)
    {
#pragma omp distribute collapse(2)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                m[i][j] = i + j;
    }
#pragma omp teams distribute num_teams(2) dist_schedule(static, 5)
    for (int i = 0; i < N; i++)
        v[i] = m[i][i];
    for (int i = 0; i < N; i++)
        assert(v[i] == 2 * i);
    return 0;
}
