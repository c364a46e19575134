//@ verdict: race-free
//@ about: parallel: with two threads only one has a number greater than 0
#include <assert.h>
#include <omp.h>

int main(void)
{
    int extra = 0;
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() > 0)
            extra++;
    }
    assert(extra == 1);
    return 0;
}
