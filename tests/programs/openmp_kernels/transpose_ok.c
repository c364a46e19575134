//@ verdict: race-free
//@ about: transposition in place: each pair once
#include <assert.h>
#define N 50

static int m[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m[i][j] = i * N + j;
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < i; j++) {
            int t = m[i][j];
            m[i][j] = m[j][i];
            m[j][i] = t;
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(m[i][j] == j * N + i);
    return 0;
}
