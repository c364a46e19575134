//@ verdict: race
//@ race: total 17 21
//@ about: two locks for one variable
#include <omp.h>
#include <stdio.h>

int main(void)
{
    omp_lock_t even, odd;
    int total = 0;
    omp_init_lock(&even);
    omp_init_lock(&odd);
#pragma omp parallel for
    for (int i = 0; i < 150; i++) {
        if (i % 2 == 0) {
            omp_set_lock(&even);
            total += i;
            omp_unset_lock(&even);
        } else {
            omp_set_lock(&odd);
            total -= i;
            omp_unset_lock(&odd);
        }
    }
    omp_destroy_lock(&even);
    omp_destroy_lock(&odd);
    printf("%d\n", total);
    return 0;
}
