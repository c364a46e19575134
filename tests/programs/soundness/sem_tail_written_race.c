//@ verdict: race
//@ races: at-least
//@ about: bytes of a semaphore beside its first one
#include <pthread.h>
#include <semaphore.h>
union{sem_t s;int w[8];}u;
void*f(void*p){sem_post(&u.s);return 0;}
int main(void){sem_init(&u.s,0,0);pthread_t t;pthread_create(&t,0,f,0);u.w[1]=0;pthread_join(t,0);return 0;}
