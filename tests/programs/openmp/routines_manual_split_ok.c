//@ verdict: race-free
//@ about: the loop is split by hand with the number of threads
#include <assert.h>
#include <omp.h>
#define N 300

int main(void)
{
    int v[N] = {0};
#pragma omp parallel
    {
        int me = omp_get_thread_num(), n = omp_get_num_threads();
        int from = me * N / n, to = (me + 1) * N / n;
        for (int i = from; i < to; i++)
            v[i] += i;
    }
    for (int i = 0; i < N; i++)
        assert(v[i] == i);
    return 0;
}
