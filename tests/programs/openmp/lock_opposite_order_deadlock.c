//@ verdict: defect
//@ defect: deadlock 16
//@ about: two locks taken in opposite orders
#include <omp.h>

int main(void)
{
    omp_lock_t a, b;
    int n = 0;
    omp_init_lock(&a);
    omp_init_lock(&b);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            omp_set_lock(&a);
            omp_set_lock(&b);
        } else {
            omp_set_lock(&b);
            omp_set_lock(&a);
        }
        n++;
        omp_unset_lock(&a);
        omp_unset_lock(&b);
    }
    omp_destroy_lock(&a);
    omp_destroy_lock(&b);
    return 0;
}
