//@ verdict: race
//@ race: total 16 16
//@ about: each thread has a lock of its own
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int total = 0;
#pragma omp parallel
    {
        omp_lock_t lock;
        omp_init_lock(&lock);
        for (int k = 0; k < 10; k++) {
            omp_set_lock(&lock);
            total += k;
            omp_unset_lock(&lock);
        }
        omp_destroy_lock(&lock);
    }
    printf("%d\n", total);
    return 0;
}
