//@ verdict: race
//@ race: g[*][*] 15 15
//@ about: for over rows: with j = 0 the element to the left is the last one of the row before
#include <stdio.h>
#define N 50

static double g[N][N];

int main(void)
{
    int i, j;
#pragma omp parallel for private(j)
    for (i = 1; i < N; i++)
        for (j = 0; j < N; j++)
            g[i][j] = g[i][j - 1] + 1.0;
    printf("%g\n", g[N - 1][0]);
    return 0;
}
