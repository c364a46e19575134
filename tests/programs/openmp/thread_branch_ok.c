//@ verdict: race-free
//@ about: parallel: only thread 0 touches the variable, twice
#include <assert.h>
#include <omp.h>

int main(void)
{
    int stamp = 0;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0)
            stamp = 1;
        if (omp_get_thread_num() == 0)
            stamp += 1;
    }
    assert(stamp == 2);
    return 0;
}
