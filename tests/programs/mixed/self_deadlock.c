//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: deadlock 15
//@ about: a thread locks twice
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&m);
    x++;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    
    return 0;
}
