//@ verdict: race-free
//@ about: matrix product in tiles; the tiles of the result are shared out
#include <assert.h>
#define N 48
#define T 12

static int a[N][N], b[N][N], c[N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i == j ? 3 : 0;
            b[i][j] = i - j;
        }
#pragma omp parallel for collapse(2) schedule(dynamic)
    for (int ti = 0; ti < N; ti += T)
        for (int tj = 0; tj < N; tj += T)
            for (int tk = 0; tk < N; tk += T)
                for (int i = ti; i < ti + T; i++)
                    for (int k = tk; k < tk + T; k++)
                        for (int j = tj; j < tj + T; j++)
                            c[i][j] += a[i][k] * b[k][j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            assert(c[i][j] == 3 * (i - j));
    return 0;
}
