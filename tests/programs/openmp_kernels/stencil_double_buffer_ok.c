//@ verdict: race-free
//@ about: Jacobi iteration on a grid, two buffers
#include <assert.h>
#define N 50
#define STEPS 3

static double grid[2][N][N];

int main(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            grid[0][i][j] = grid[1][i][j] = i == 0 ? 64.0 : 0.0;
    for (int t = 0; t < STEPS; t++) {
        int src = t % 2, dst = 1 - src;
#pragma omp parallel for
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                grid[dst][i][j] = 0.25 * (grid[src][i - 1][j] + grid[src][i + 1][j] + grid[src][i][j - 1] +
                                          grid[src][i][j + 1]);
    }
    assert(grid[STEPS % 2][1][N / 2] == 29.0);
    return 0;
}
