//@ verdict: race
//@ race: grid[*][*] 18 18
//@ about: Jacobi iteration on a grid, in place
#include <stdio.h>
#define N 50
#define STEPS 3

static double grid[N][N];

int main(void)
{
    for (int j = 0; j < N; j++)
        grid[0][j] = 64.0;
    for (int t = 0; t < STEPS; t++) {
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                grid[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
    }
    printf("%g\n", grid[1][N / 2]);
    return 0;
}
