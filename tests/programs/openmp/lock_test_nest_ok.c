//@ verdict: race-free
//@ about: omp_test_nest_lock returns the depth
#include <assert.h>
#include <omp.h>

int main(void)
{
    omp_nest_lock_t lock;
    int sum = 0;
    omp_init_nest_lock_with_hint(&lock, omp_sync_hint_none);
#pragma omp parallel num_threads(2)
    {
        omp_set_nest_lock(&lock);
        int depth = omp_test_nest_lock(&lock);
        sum += depth;
        omp_unset_nest_lock(&lock);
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
    assert(sum == 4);
    return 0;
}
