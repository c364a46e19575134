//@ verdict: race
//@ race: got 15 15
//@ about: omp_test_lock: the update happens whether or not the lock was got
#include <omp.h>
#include <stdio.h>

int main(void)
{
    omp_lock_t lock;
    int got = 0;
    omp_init_lock(&lock);
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 6; i++) {
        int mine = omp_test_lock(&lock);
        got++;
        if (mine)
            omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    printf("%d\n", got);
    return 0;
}
