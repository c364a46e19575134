//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: deadlock 24
//@ about: who comes behind the locks has joined the other: the race needs what the deadlock prevents
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t a;
    pthread_mutex_lock(&m);
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_mutex_unlock(&m);
    x++;
    return 0;
}
