//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: assertion 15
//@ about: the race lies behind an assertion that fails in every schedule: no execution has it
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x;
static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    assert(x == 1);
    pthread_mutex_unlock(&m);
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
