//@ verdict: race
//@ race: buffer[*] 14 14
//@ race: buffer[*] 14 16
//@ about: for: an array of variable size is declared outside the region
#include <stdio.h>

static int run(int n)
{
    int grid[n][n];
    int buffer[n];
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++)
            buffer[j] = i + j;
        for (int j = 0; j < n; j++)
            grid[i][j] = buffer[n - 1 - j];
    }
    return grid[n - 1][0];
}

int main(void)
{
    printf("%d\n", run(40));
    return 0;
}
