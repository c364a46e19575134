//@ verdict: race-free
//@ about: sparse matrix in triplets, atomic additions
#include <assert.h>
#define N 100
#define NZ 400

int main(void)
{
    int row[NZ], col[NZ], val[NZ], x[N], y[N] = {0};
    for (int k = 0; k < NZ; k++) {
        row[k] = (k * 13) % N;
        col[k] = (k * 29) % N;
        val[k] = 1 + k % 3;
    }
    for (int i = 0; i < N; i++)
        x[i] = 1;
#pragma omp parallel for
    for (int k = 0; k < NZ; k++) {
#pragma omp atomic
        y[row[k]] += val[k] * x[col[k]];
    }
    int sum = 0, want = 0;
    for (int i = 0; i < N; i++)
        sum += y[i];
    for (int k = 0; k < NZ; k++)
        want += val[k];
    assert(sum == want);
    return 0;
}
