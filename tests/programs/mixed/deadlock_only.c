//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: deadlock 16
//@ about: two locks in two orders around protected data
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *one(void *arg)
{
    pthread_mutex_lock(&m);
    pthread_mutex_lock(&n);
    x++;
    pthread_mutex_unlock(&n);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *two(void *arg)
{
    pthread_mutex_lock(&n);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    pthread_mutex_unlock(&n);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, one, NULL);
    pthread_create(&b, NULL, two, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
