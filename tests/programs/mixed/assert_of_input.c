//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: assertion 24
//@ about: an assertion about an input: fails for some values; races are excluded for all
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int __VERIFIER_nondet_int(void);
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
    pthread_t a, b;
    int n = __VERIFIER_nondet_int();
    assert(n != 7);
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
