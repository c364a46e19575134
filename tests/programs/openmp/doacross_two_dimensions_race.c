//@ verdict: race
//@ race: w[*][*] 17 17
//@ about: ordered(2): the upper neighbour is not waited for
#include <stdio.h>
#define N 50

static unsigned w[N][N];

int main(void)
{
    for (int k = 0; k < N; k++)
        w[0][k] = w[k][0] = 1;
#pragma omp parallel for ordered(2)
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++) {
#pragma omp ordered depend(sink : i, j - 1)
            w[i][j] = w[i - 1][j] + w[i][j - 1];
#pragma omp ordered depend(source)
        }
    printf("%u\n", w[N - 1][N - 1]);
    return 0;
}
