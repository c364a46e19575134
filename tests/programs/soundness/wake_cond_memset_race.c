//@ verdict: race
//@ races: at-least
//@ about: what is waited on is overwritten meanwhile
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <errno.h>
#include <semaphore.h>
#include <unistd.h>
#define L(m) pthread_mutex_lock(&m)
#define U(m) pthread_mutex_unlock(&m)
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER,k=PTHREAD_MUTEX_INITIALIZER;pthread_cond_t c=PTHREAD_COND_INITIALIZER;int w,r,d;
static void*t1(void*_){L(m);w=1;pthread_cond_wait(&c,&m);U(m);return 0;}static void*t2(void*_){L(m);int z=w;U(m);if(z)memset(&c,0,sizeof c);return 0;}int main(void){pthread_t x,y;pthread_create(&x,0,t1,0);pthread_create(&y,0,t2,0);pthread_join(y,0);_exit(0);}
