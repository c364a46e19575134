//@ verdict: race-free
//@ about: sparse matrix times vector, by rows
#include <assert.h>
#define N 200

static int start[N + 1], column[3 * N];
static double value[3 * N], x[N], y[N];

int main(void)
{
    int nz = 0;
    for (int i = 0; i < N; i++) {
        start[i] = nz;
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < N) {
                column[nz] = j;
                value[nz++] = j == i ? 2.0 : -1.0;
            }
        x[i] = i;
    }
    start[N] = nz;
#pragma omp parallel for schedule(guided)
    for (int i = 0; i < N; i++) {
        double sum = 0;
        for (int k = start[i]; k < start[i + 1]; k++)
            sum += value[k] * x[column[k]];
        y[i] = sum;
    }
    for (int i = 1; i < N - 1; i++)
        assert(y[i] == 0.0);
    return 0;
}
