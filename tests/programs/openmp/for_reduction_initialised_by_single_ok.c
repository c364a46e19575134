//@ verdict: race-free
//@ about: for reduction: a single with its barrier sets the variable first
#include <assert.h>
#define N 128

int main(void)
{
    long total;
#pragma omp parallel
    {
#pragma omp single
        total = 100;
#pragma omp for reduction(+ : total)
        for (int k = 0; k < N; k++)
            total += k;
    }
    assert(total == 100 + N * (N - 1) / 2);
    return 0;
}
