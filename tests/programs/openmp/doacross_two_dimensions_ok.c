//@ verdict: race-free
//@ about: ordered(2): upper and left neighbour are waited for
#include <assert.h>
#define N 50

static unsigned w[N][N];

int main(void)
{
    for (int k = 0; k < N; k++)
        w[0][k] = w[k][0] = 1;
#pragma omp parallel for ordered(2) schedule(dynamic)
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++) {
#pragma omp ordered depend(sink : i - 1, j) depend(sink : i, j - 1)
            w[i][j] = w[i - 1][j] + w[i][j - 1];
#pragma omp ordered depend(source)
        }
    unsigned row[N];
    for (int k = 0; k < N; k++)
        row[k] = 1;
    for (int i = 1; i < N; i++)
        for (int j = 1; j < N; j++)
            row[j] += row[j - 1];
    assert(w[N - 1][N - 1] == row[N - 1]);
    return 0;
}
