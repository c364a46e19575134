//@ verdict: defect
//@ defect: misuse 22
//@ about: memccpy between overlapping objects
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
char b[8]="abcdefg";int main(void){volatile size_t n=4;memccpy(b+1,b,0,n);return 0;}
