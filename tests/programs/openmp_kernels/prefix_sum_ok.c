//@ verdict: race-free
//@ about: prefix sum in three phases: blocks, offsets, blocks again
#include <assert.h>
#include <omp.h>
#define N 500

int main(void)
{
    int v[N], total[65] = {0};
    for (int i = 0; i < N; i++)
        v[i] = i % 9;
#pragma omp parallel
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        int from = me * N / n, to = (me + 1) * N / n;
        for (int i = from + 1; i < to; i++)
            v[i] += v[i - 1];
        total[me + 1] = v[to - 1];
#pragma omp barrier
#pragma omp single
        for (int t = 1; t <= n; t++)
            total[t] += total[t - 1];
        for (int i = from; i < to; i++)
            v[i] += total[me];
    }
    int sum = 0;
    for (int i = 0; i < N; i++) {
        sum += i % 9;
        assert(v[i] == sum);
    }
    return 0;
}
