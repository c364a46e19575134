//@ verdict: race-free
//@ about: target nowait and taskwait
#include <assert.h>

int main(void)
{
    int box = 0, got = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : box)
        box = 5;
#pragma omp taskwait
        got = box;
    }
    assert(got == 5);
    return 0;
}
