//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: deadlock 16
//@ about: a wait that nobody ends if the signal came first
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int x;
static void *waits(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_cond_wait(&c, &m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t a;
    pthread_create(&a, NULL, waits, NULL);
    pthread_mutex_lock(&m);
    x++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
    pthread_join(a, NULL);
    return 0;
}
