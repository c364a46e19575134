//@ verdict: race
//@ race: m[*][*] 14 14
//@ about: for collapse(2): the dependence along the row was harmless before both loops were shared out
#include <stdio.h>
#define N 50

static int m[N][N];

int main(void)
{
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 1; j < N; j++)
            m[i][j] = m[i][j - 1] + 1;
    printf("%d\n", m[3][N - 1]);
    return 0;
}
