//@ verdict: defect
//@ defect: assertion 15
//@ about: an assertion about one slot, which some distribution breaks
#include <assert.h>
#include <omp.h>
#define N 100

static long part[64];

int main(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int i = 0; i < N; i++)
        part[omp_get_thread_num()] += i;
    assert(part[0] < 3000);
    return 0;
}
