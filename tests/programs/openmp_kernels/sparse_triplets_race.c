//@ verdict: race
//@ race: y[*] 20 20
//@ about: sparse matrix in triplets, plain additions
#include <stdio.h>
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
    for (int k = 0; k < NZ; k++)
        y[row[k]] += val[k] * x[col[k]];
    printf("%d\n", y[0]);
    return 0;
}
