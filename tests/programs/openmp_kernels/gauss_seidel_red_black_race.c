//@ verdict: race
//@ race: u[*][*] 18 18
//@ about: Gauss-Seidel in red-black order; the colour does not depend on the row
#include <stdio.h>
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
                for (int j = 1 + colour; j < N - 1; j += 2)
                    u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]);
        }
    printf("%g\n", u[1][1]);
    return 0;
}
