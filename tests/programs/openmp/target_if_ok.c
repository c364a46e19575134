//@ verdict: race-free
//@ about: target if(0) and device: host execution, waits all the same
#include <assert.h>
#include <omp.h>

int main(void)
{
    int n = 0;
#pragma omp target if (0) map(tofrom : n)
    n = 1;
#pragma omp target device(omp_get_initial_device()) map(tofrom : n)
    n += 1;
    assert(n == 2);
    return 0;
}
