//@ verdict: race
//@ race: m[*][*] 15 15
//@ about: simd collapse(2): the dependence between rows is between lanes
#include <stdio.h>
#define N 50

static int m[N][N];

int main(void)
{
#pragma omp simd collapse(2)
    for (int i = 1; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = m[i - 1][j] + 1;
    printf("%d\n", m[N - 1][0]);
    return 0;
}
