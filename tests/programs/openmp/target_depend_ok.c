//@ verdict: race-free
//@ about: target nowait with depend: a chain of two regions and a host task
#include <assert.h>
#define N 100

int main(void)
{
    int v[N] = {0}, sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : v) depend(inout : v)
        for (int i = 0; i < N; i++)
            v[i] += 1;
#pragma omp target nowait map(tofrom : v) depend(inout : v)
        for (int i = 0; i < N; i++)
            v[i] *= 2;
#pragma omp task depend(in : v) shared(sum)
        for (int i = 0; i < N; i++)
            sum += v[i];
    }
    assert(sum == 2 * N);
    return 0;
}
