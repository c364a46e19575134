//@ verdict: race
//@ race: m[*][*] 19 21
//@ race: m[*][*] 20 20
//@ race: m[*][*] 20 21
//@ about: transposition in place: each pair twice
#include <stdio.h>
#define N 50

static int m[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = i * N + j;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
    printf("%d\n", m[1][2]);
    return 0;
}
