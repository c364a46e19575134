//@ verdict: race-free
//@ about: target nowait with a scalar that is not mapped: it is firstprivate, the host may change its own
#include <assert.h>

int main(void)
{
    int seed = 3, out = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : out)
        {
            seed *= 2;
            out = seed;
        }
        seed = 100;
#pragma omp taskwait
    }
    assert(seed == 100 && out == 6);
    return 0;
}
