//@ verdict: race
//@ race: y[*] 26 26
//@ about: sparse matrix times vector, by columns: neighbours add to the same row
#include <stdio.h>
#define N 200

static int start[N + 1], row[3 * N];
static double value[3 * N], x[N], y[N];

int main(void)
{
    int nz = 0;
    for (int j = 0; j < N; j++) {
        start[j] = nz;
        for (int i = j - 1; i <= j + 1; i++)
            if (i >= 0 && i < N) {
                row[nz] = i;
                value[nz++] = i == j ? 2.0 : -1.0;
            }
        x[j] = j;
    }
    start[N] = nz;
#pragma omp parallel for
    for (int j = 0; j < N; j++)
        for (int k = start[j]; k < start[j + 1]; k++)
            y[row[k]] += value[k] * x[j];
    printf("%g\n", y[1]);
    return 0;
}
