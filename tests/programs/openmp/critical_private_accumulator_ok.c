//@ verdict: race-free
//@ about: private accumulators, added up in a critical section at the end
#include <assert.h>
#define N 400

int main(void)
{
    int v[N];
    long sum = 0;
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp parallel
    {
        long mine = 0;
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            mine += v[i];
#pragma omp critical
        sum += mine;
    }
    assert(sum == (long)N * (N - 1) / 2);
    return 0;
}
