//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: use-after-free 22
//@ about: used after it was freed in some schedules, always under the lock
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;
static void *frees(void *arg)
{
    pthread_mutex_lock(&m);
    free(p);
    pthread_mutex_unlock(&m);
    return arg;
}
static void *uses(void *arg)
{
    pthread_mutex_lock(&m);
    *p = 1;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    p = malloc(sizeof *p);
    pthread_create(&a, NULL, frees, NULL);
    pthread_create(&b, NULL, uses, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
