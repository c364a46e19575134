//@ verdict: race-free
//@ about: task if(0): undeferred, the creator goes on after it
#include <assert.h>

int main(void)
{
    int step = 0, copy;
    int when = 0;
#pragma omp parallel
#pragma omp single
    {
        step = 1;
#pragma omp task shared(step) if (when)
        step = step * 10;
        copy = step + 1;
    }
    assert(copy == 11);
    return 0;
}
