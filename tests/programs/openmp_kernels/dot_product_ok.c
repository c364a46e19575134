//@ verdict: race-free
//@ about: dot product and norm in one region, with two reductions
#include <assert.h>
#define N 1000

int main(void)
{
    static int x[N], y[N];
    long dot = 0, norm = 0;
    for (int i = 0; i < N; i++) {
        x[i] = i % 10;
        y[i] = 2;
    }
#pragma omp parallel
    {
#pragma omp for reduction(+ : dot) nowait
        for (int i = 0; i < N; i++)
            dot += x[i] * y[i];
#pragma omp for reduction(+ : norm)
        for (int i = 0; i < N; i++)
            norm += x[i] * x[i];
    }
    assert(dot == 9000 && norm == 28500);
    return 0;
}
