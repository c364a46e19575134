//@ verdict: race-free
//@ about: for collapse(2): every element by its own iteration
#include <assert.h>
#define N 50

static int src[N][N], dst[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            src[i][j] = i * N + j;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            dst[j][i] = src[i][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(dst[j][i] == i * N + j);
    return 0;
}
