//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: null-pointer 18
//@ about: a null pointer beside protected data
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *arg)
{
    int *p = arg;
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    *p = 1;
    return NULL;
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
