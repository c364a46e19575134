//@ verdict: race-free
//@ about: omp_test_lock: the update happens only where the lock was got
#include <assert.h>
#include <omp.h>

int main(void)
{
    omp_lock_t lock;
    int got = 0, missed = 0;
    omp_init_lock(&lock);
#pragma omp parallel for reduction(+ : missed) num_threads(2)
    for (int i = 0; i < 6; i++) {
        if (omp_test_lock(&lock)) {
            got++;
            omp_unset_lock(&lock);
        } else {
            missed++;
        }
    }
    omp_destroy_lock(&lock);
    assert(got + missed == 6);
    return 0;
}
