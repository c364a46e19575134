//@ verdict: race-free
//@ about: the other task only tests the lock
#include <omp.h>
int x;
omp_lock_t l;

int main(void)
{
    omp_init_lock(&l);
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            if (omp_test_lock(&l)) {
                x++;
                omp_unset_lock(&l);
            }
        }
        omp_set_lock(&l);
#pragma omp task
        {
        }
        omp_unset_lock(&l);
    }
}
