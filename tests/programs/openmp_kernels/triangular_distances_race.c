//@ verdict: race
//@ race: d[*][*] 18 18
//@ about: collapse over a triangle: every diagonal reads the first element of a row that another iteration stores
#include <stdio.h>
#define N 50

static int d[N][N], x[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = (i * 13) % N;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++) {
            int w = x[i] - x[j];
            // The element of column 0 belongs to another iteration.
            d[i - j][j] = w * w + d[i - j][0];
        }
    printf("%d\n", d[3][4]);
    return 0;
}
