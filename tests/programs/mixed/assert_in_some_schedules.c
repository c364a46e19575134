//@ verdict: defect
//@ races-verdict: race-free
//@ defects-verdict: defect
//@ defect: assertion 15
//@ about: the assertion fails only if the second thread is first; races are excluded all the same
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn;
static void *first(void *arg)
{
    pthread_mutex_lock(&m);
    assert(turn == 0);
    turn = 1;
    pthread_mutex_unlock(&m);
    return arg;
}
static void *second(void *arg)
{
    pthread_mutex_lock(&m);
    turn = 2;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, first, NULL);
    pthread_create(&b, NULL, second, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
