//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: double-free 15
//@ about: freed by both, in turn
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;
static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    free(p);
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    p = malloc(4);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
