//@ verdict: race
//@ races: at-least
//@ about: a sleeping thread whose lock or semaphore others touch
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <assert.h>
#include <unistd.h>
pthread_mutex_t m[2]={PTHREAD_MUTEX_INITIALIZER,PTHREAD_MUTEX_INITIALIZER};
pthread_cond_t c=PTHREAD_COND_INITIALIZER;pthread_rwlock_t w=PTHREAD_RWLOCK_INITIALIZER;sem_t s[2];pthread_once_t o=PTHREAD_ONCE_INIT;pthread_barrier_t b;
atomic_int a[2];int x[3];int*h;pthread_t tid[4];struct timespec ts={1,0};
static void I(void){x[2]++;}
static void*t0(void*_){pthread_cond_signal(&c);pthread_rwlock_wrlock(&w);pthread_rwlock_rdlock(&w);(void)*(volatile int*)&x[0];pthread_rwlock_unlock(&w);pthread_cond_broadcast(&c);pthread_rwlock_unlock(&w);return 0;}
static void*t1(void*_){free(h);pthread_rwlock_rdlock(&w);sem_init(&s[1],0,1);pthread_rwlock_unlock(&w);return 0;}
static void*t2(void*_){memset(&m[0],0,sizeof m[0]);atomic_fetch_add(&a[1],1);return 0;}
int main(void){sem_init(&s[0],0,0);sem_init(&s[1],0,1);h=calloc(1,4);pthread_create(&tid[0],0,t0,0);pthread_create(&tid[1],0,t1,0);sem_post(&s[1]);pthread_create(&tid[2],0,t2,0);pthread_join(tid[0],0);pthread_join(tid[1],0);pthread_join(tid[2],0);assert(x[0]<3);return 0;}
