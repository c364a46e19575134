//@ verdict: race
//@ race: c[*][*] 20 20
//@ about: matrix product with all three loops collapsed: the sums of one element are shared out
#include <stdio.h>
#define N 30

static int a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i == j ? 2 : 0;
            b[i][j] = i + j;
        }
#pragma omp parallel for collapse(3)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
    printf("%d\n", c[1][1]);
    return 0;
}
