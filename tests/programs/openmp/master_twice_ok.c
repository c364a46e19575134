//@ verdict: race-free
//@ about: master twice: the same thread runs both, so no barrier is needed between them
#include <assert.h>

int main(void)
{
    int step = 0;
#pragma omp parallel
    {
#pragma omp master
        step = 1;
#pragma omp master
        step = step + 1;
    }
    assert(step == 2);
    return 0;
}
