#include <omp.h>
omp_lock_t lock;
double slot[64];
int main(void) {
    omp_init_lock(&lock);
    #pragma omp parallel
    {
        int me = omp_get_thread_num();
        omp_set_lock(&lock); //@ superfluous
        slot[me] = me * 0.5;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return 0;
}
