//@ verdict: defect
//@ defect: deadlock 14|20
//@ about: one thread holds a lock at a barrier; if it takes it first, the others never come to the barrier
#include <omp.h>

int main(void)
{
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1) {
            omp_set_lock(&lock);
#pragma omp barrier
            omp_unset_lock(&lock);
        } else {
            omp_set_lock(&lock);
            omp_unset_lock(&lock);
            /* */
#pragma omp barrier
        }
    }
    omp_destroy_lock(&lock);
    return 0;
}
