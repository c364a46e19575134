//@ verdict: race
//@ races: at-least
//@ about: a sleeping thread whose lock or semaphore others touch
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <errno.h>
#include <semaphore.h>
#define L(m) pthread_mutex_lock(&m)
#define U(m) pthread_mutex_unlock(&m)
pthread_mutex_t m=PTHREAD_MUTEX_INITIALIZER,k=PTHREAD_MUTEX_INITIALIZER,k2=PTHREAD_MUTEX_INITIALIZER;pthread_cond_t cv=PTHREAD_COND_INITIALIZER;sem_t s,s2;int d,r;
static void*sw(void*_){sem_wait(&s2);return 0;}
pthread_mutex_t*h;
static void*ta(void*_){(void)_;pthread_mutex_lock(h);pthread_mutex_unlock(h);return 0;}
static void*tb(void*_){(void)_;L(k);U(k);free(h);L(k2);U(k2);return 0;}
int main(void){pthread_t x,y,z,w;(void)z;sem_init(&s,0,0);sem_init(&s2,0,1);h=malloc(sizeof*h);pthread_mutex_init(h,0);pthread_create(&x,0,ta,0);pthread_create(&y,0,tb,0);pthread_create(&w,0,sw,0);pthread_join(w,0);pthread_join(x,0);pthread_join(y,0);return 0;}
