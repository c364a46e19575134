//@ verdict: race-free
//@ about: every thread adds its slot to the total in a critical section
#include <assert.h>
#include <omp.h>
#define N 100

static long part[64];

int main(void)
{
    long total = 0;
#pragma omp parallel num_threads(3)
    {
        int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
        for (int i = 0; i < N; i++)
            part[me] += i;
#pragma omp critical
        total += part[me];
    }
    assert(total == 4950);
    return 0;
}
