//@ verdict: race
//@ races: at-least
//@ about: bytes of a mutex beside its first one
#include <pthread.h>
union{pthread_mutex_t m;int w[10];}u={PTHREAD_MUTEX_INITIALIZER};
void*f(void*p){pthread_mutex_lock(&u.m);pthread_mutex_unlock(&u.m);return 0;}
int main(void){pthread_t t;pthread_create(&t,0,f,0);u.w[4]=0;pthread_join(t,0);return 0;}
