//@ verdict: race
//@ race: n 16 16
//@ about: a lock routine binds to the contention group: the lock does not exclude another team
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int n = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp teams num_teams(2)
#pragma omp parallel num_threads(1)
    {
        omp_set_lock(&lock);
        n++;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    printf("%d\n", n);
    return 0;
}
