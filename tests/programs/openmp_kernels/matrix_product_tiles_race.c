//@ verdict: race
//@ race: c[*][*] 22 22
//@ about: matrix product in tiles; the tiles of the sum are shared out
#include <stdio.h>
#define N 48
#define T 12

static int a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i == j ? 3 : 0;
            b[i][j] = i - j;
        }
#pragma omp parallel for
    for (int tk = 0; tk < N; tk += T)
        for (int i = 0; i < N; i++)
            for (int k = tk; k < tk + T; k++)
                for (int j = 0; j < N; j++)
                    c[i][j] += a[i][k] * b[k][j];
    printf("%d\n", c[5][2]);
    return 0;
}
