//@ verdict: race-free
//@ about: tile and unroll under a worksharing loop
#include <assert.h>
#define N 50

static int m[N][N];

int main(void)
{
#pragma omp parallel for
#pragma omp tile sizes(8, 8)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = i - j;
#pragma omp parallel for
#pragma omp unroll partial(4)
    for (int i = 0; i < N; i++)
        m[i][i] = 7;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(m[i][j] == (i == j ? 7 : i - j));
    return 0;
}
