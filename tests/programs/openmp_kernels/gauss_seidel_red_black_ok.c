//@ verdict: race-free
//@ about: Gauss-Seidel in red-black order
#include <assert.h>
#define N 50

static double u[N][N];

int main(void)
{
    for (int j = 0; j < N; j++)
        u[0][j] = 16.0;
    for (int sweep = 0; sweep < 2; sweep++)
        for (int colour = 0; colour < 2; colour++) {
#pragma omp parallel for
            for (int i = 1; i < N - 1; i++)
                for (int j = 1 + (i + colour) % 2; j < N - 1; j += 2)
                    u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        }
    assert(u[1][1] > 0.0 && u[1][1] < 16.0);
    return 0;
}
