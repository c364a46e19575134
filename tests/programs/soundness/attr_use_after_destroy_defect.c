//@ verdict: defect
//@ defect: lock-misuse 6
//@ about: attributes that were destroyed
#include <pthread.h>
pthread_mutex_t m;
int main(void){pthread_mutexattr_t a;pthread_mutexattr_init(&a);pthread_mutexattr_destroy(&a);pthread_mutex_init(&m,&a);return 0;}
