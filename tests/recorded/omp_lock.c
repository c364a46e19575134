// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
int main(void) {
    int n = 0;
    omp_lock_t l;
    omp_init_lock(&l);
#pragma omp parallel num_threads(3)
    {
        omp_set_lock(&l);
        n++;
        omp_unset_lock(&l);
    }
    omp_destroy_lock(&l);
    return n != 3;
}
