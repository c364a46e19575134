//@ verdict: defect
//@ defect: misuse 22
//@ about: a key that was deleted
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <errno.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <linux/futex.h>
#define L(m) pthread_mutex_lock(&m)
#define U(m) pthread_mutex_unlock(&m)
int main(void){pthread_key_t k;pthread_key_create(&k,0);pthread_setspecific(k,&k);pthread_key_delete(k);return pthread_getspecific(k)!=0;}
