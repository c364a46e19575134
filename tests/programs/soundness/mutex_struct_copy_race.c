//@ verdict: race
//@ races: at-least
//@ about: a mutex is copied while it is used
#include <pthread.h>
struct s{pthread_mutex_t m;int v;}a,b;
void*f(void*p){pthread_mutex_lock(&a.m);pthread_mutex_unlock(&a.m);return 0;}
int main(void){pthread_mutex_init(&a.m,0);pthread_t t;pthread_create(&t,0,f,0);b=a;pthread_join(t,0);return b.v;}
