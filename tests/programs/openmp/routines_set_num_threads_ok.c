//@ verdict: race-free
//@ about: omp_set_num_threads(1): the next region has one thread
#include <assert.h>
#include <omp.h>

int main(void)
{
    int n = 0;
    omp_set_num_threads(1);
    assert(omp_get_max_threads() == 1);
#pragma omp parallel
    for (int k = 0; k < 100; k++)
        n++;
    assert(n == 100);
    return 0;
}
