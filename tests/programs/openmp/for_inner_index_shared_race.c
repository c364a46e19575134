//@ verdict: race
//@ races: at-least
//@ race: j 15 15
//@ about: for: the index of the inner loop is declared outside and shared
#include <stdio.h>
#define N 50

static int g[N][N];

int main(void)
{
    int i, j;
#pragma omp parallel for
    for (i = 0; i < N; i++)
        for (j = 0; j < N; j++)
            g[i][j % N] = i;
    printf("%d\n", g[1][1]);
    return 0;
}
