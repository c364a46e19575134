//@ verdict: defect
//@ undecided: not followed
//@ about: memory that may not be written
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
int main(void){char*p=mmap(0,4096,PROT_READ,MAP_PRIVATE|MAP_ANONYMOUS,-1,0);if(p==MAP_FAILED)return 0;p[0]=1;return 0;}
