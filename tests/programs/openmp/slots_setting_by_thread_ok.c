//@ verdict: race-free
//@ about: the code around the loop sets what the iterations of its thread read
#include <assert.h>
#include <omp.h>
#define N 100

static int factor[64], out[N];

int main(void)
{
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        factor[me] = 3;
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < N; i++)
            out[i] = i * factor[me];
    }
    for (int i = 0; i < N; i++)
        assert(out[i] == 3 * i);
    return 0;
}
