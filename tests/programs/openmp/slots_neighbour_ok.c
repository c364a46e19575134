//@ verdict: race-free
//@ about: every thread uses the slot of the next one
#include <assert.h>
#include <omp.h>
#define N 100

static long part[3];

int main(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int i = 0; i < N; i++)
        part[(omp_get_thread_num() + 1) % 3] += i;
    assert(part[0] + part[1] + part[2] == 4950);
    return 0;
}
