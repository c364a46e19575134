//@ verdict: race
//@ race: acc 20 20
//@ race: acc 20 23
//@ race: acc 20 24
//@ race: acc 23 23
//@ race: acc 23 24
//@ about: image filter; the accumulator is shared
#include <stdio.h>
#define N 50

static int in[N][N], out[N][N];

int main(void)
{
    static const int mask[3][3] = {{1, 2, 1}, {2, 4, 2}, {1, 2, 1}};
    int acc;
#pragma omp parallel for
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++) {
            acc = 0;
            for (int a = 0; a < 3; a++)
                for (int b = 0; b < 3; b++)
                    acc += mask[a][b] * in[i + a - 1][j + b - 1];
            out[i][j] = acc / 16;
        }
    printf("%d\n", out[5][5]);
    return 0;
}
