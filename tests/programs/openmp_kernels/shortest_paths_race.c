//@ verdict: race
//@ race: d[*][*] 23 23
//@ about: Floyd-Warshall with an unconditional write: row k is rewritten while the others read it
#include <stdio.h>
#define N 30

static int d[N][N];

static int lesser(int a, int b)
{
    return a < b ? a : b;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i][j] = i == j ? 0 : j == (i + 1) % N ? 1 : 10000;
    for (int k = 0; k < N; k++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                d[i][j] = lesser(d[i][j], d[i][k] + d[k][j]);
    }
    printf("%d\n", d[0][N - 1]);
    return 0;
}
