#include <omp.h>
omp_lock_t lock;
int balance;
int main(void) {
    omp_init_lock(&lock);
    #pragma omp parallel
    {
        omp_set_lock(&lock); //@ needed race
        balance = balance * 2 + 5;
        omp_unset_lock(&lock);
    }
    omp_destroy_lock(&lock);
    return 0;
}
