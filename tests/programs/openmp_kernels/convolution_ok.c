//@ verdict: race-free
//@ about: image filter with a small mask
#include <assert.h>
#define N 50

static int in[N][N], out[N][N];

int main(void)
{
    static const int mask[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            in[i][j] = 16;
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            int acc = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    acc += mask[a][b] * in[i + a - 1][j + b - 1];
            out[i][j] = acc / 16;
        }
    for (int i = 1; i < N - 1; i++)
        assert(out[i][i] == 16);
    return 0;
}
