//@ verdict: race-free
//@ about: omp_set_lock and omp_unset_lock around the update
#include <assert.h>
#include <omp.h>

int main(void)
{
    omp_lock_t lock;
    int total = 0;
    omp_init_lock(&lock);
#pragma omp parallel for
    for (int i = 0; i < 150; i++) {
        omp_set_lock(&lock);
        total += i;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    assert(total == 150 * 149 / 2);
    return 0;
}
