//@ verdict: race-free
//@ about: collapse over a triangle: distances of pairs, each computed once and stored twice
#include <assert.h>
#define N 50

static int d[N][N], x[N];

int main(void)
{
    for (int i = 0; i < N; i++)
        x[i] = (i * 13) % N;
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) {
            int w = x[i] - x[j];
            d[i][j] = d[j][i] = w * w;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(d[i][j] == d[j][i]);
    return 0;
}
