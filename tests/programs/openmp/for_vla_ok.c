//@ verdict: race-free
//@ about: for over an array of variable size, private arrays of variable size
#include <assert.h>

static int run(int n)
{
    int grid[n][n], total = 0;
#pragma omp parallel
    {
        int buffer[n];
#pragma omp for
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++)
                buffer[j] = i + j;
            for (int j = 0; j < n; j++)
                grid[i][j] = buffer[n - 1 - j];
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            total += grid[i][j];
    return total;
}

int main(void)
{
    assert(run(40) == 40 * 40 * 39);
    return 0;
}
