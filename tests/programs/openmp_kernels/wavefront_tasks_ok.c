//@ verdict: race-free
//@ about: wavefront over blocks with task dependences
#include <assert.h>
#define N 48
#define B 12
#define K (N / B)

static unsigned w[N + 1][N + 1];

static void block(int bi, int bj)
{
    for (int i = bi * B + 1; i <= (bi + 1) * B; i++)
        for (int j = bj * B + 1; j <= (bj + 1) * B; j++)
            w[i][j] = (w[i - 1][j] + w[i][j - 1] + w[i - 1][j - 1]) % 10007;
}

int main(void)
{
    char token[K + 1][K + 1];
    for (int i = 0; i <= N; i++)
        w[i][0] = w[0][i] = 1;
#pragma omp parallel
#pragma omp single
    for (int bi = 0; bi < K; bi++)
        for (int bj = 0; bj < K; bj++) {
#pragma omp task depend(in : token[bi][bj + 1], token[bi + 1][bj]) depend(out : token[bi + 1][bj + 1])
            block(bi, bj);
        }
    unsigned a = w[N][N];
    for (int i = 1; i <= N; i++)
        for (int j = 1; j <= N; j++)
            w[i][j] = (w[i - 1][j] + w[i][j - 1] + w[i - 1][j - 1]) % 10007;
    assert(a == w[N][N]);
    return 0;
}
