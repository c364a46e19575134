//@ verdict: race-free
//@ about: barrier between two phases of one region
#include <assert.h>
#include <omp.h>

int main(void)
{
    int part[64] = {0};
    int sum[64] = {0};
    int team = 1;
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        int n = omp_get_num_threads();
        part[me] = me + 1;
#pragma omp barrier
        for (int t = 0; t < n; t++)
            sum[me] += part[t];
#pragma omp master
        team = n;
    }
    for (int t = 0; t < team; t++)
        assert(sum[t] == team * (team + 1) / 2);
    return 0;
}
