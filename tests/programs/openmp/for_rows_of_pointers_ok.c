//@ verdict: race-free
//@ about: for: rows allocated, filled and released by the iterations
#include <assert.h>
#include <stdlib.h>
#define N 50

int main(void)
{
    int *row[N];
    long sum = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            row[i] = malloc(N * sizeof(int));
            for (int j = 0; j < N; j++)
                row[i][j] = 1;
        }
#pragma omp for reduction(+ : sum)
        for (int i = 0; i < N; i++) {
            for (int j = 0; j < N; j++)
                sum += row[N - 1 - i][j];
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            free(row[i]);
    }
    assert(sum == N * N);
    return 0;
}
