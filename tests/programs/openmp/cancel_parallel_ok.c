//@ verdict: race-free
//@ about: cancel parallel under a condition, each thread with its own slot
#include <assert.h>
#include <omp.h>

int main(void)
{
    int done[64] = {0}, stop = 0;
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        done[me] = 1;
        if (me == 0 && stop) {
#pragma omp cancel parallel
        }
#pragma omp cancellation point parallel
    }
    assert(done[0] && done[1]);
    return 0;
}
