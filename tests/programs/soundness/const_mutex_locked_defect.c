//@ verdict: defect
//@ defect: write-to-constant 6
//@ about: a lock in read-only memory
#include <pthread.h>
static const pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER;
int main(void){pthread_mutex_lock((pthread_mutex_t*)&m);pthread_mutex_unlock((pthread_mutex_t*)&m);return 0;}
