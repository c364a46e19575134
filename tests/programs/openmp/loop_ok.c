//@ verdict: race-free
//@ undecided: order(concurrent) with a reduction on its own is not followed
//@ about: parallel loop, loop bind(parallel) and a reduction
#include <assert.h>
#define N 200

int main(void)
{
    int v[N], sum = 0;
#pragma omp parallel loop
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp parallel
    {
#pragma omp loop bind(parallel) reduction(+ : sum)
        for (int i = 0; i < N; i++)
            sum += v[i];
    }
    assert(sum == N * (N - 1) / 2);
    return 0;
}
