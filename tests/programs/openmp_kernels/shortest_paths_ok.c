//@ verdict: race-free
//@ about: Floyd-Warshall: row and column k do not change in step k, because an element is written only if it gets less
#include <assert.h>
#define N 30

static int d[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            d[i][j] = i == j ? 0 : j == (i + 1) % N ? 1 : 10000;
    for (int k = 0; k < N; k++) {
#pragma omp parallel for
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(d[i][j] == (j - i + N) % N);
    return 0;
}
