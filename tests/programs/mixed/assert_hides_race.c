//@ verdict: race
//@ races-verdict: race
//@ defects-verdict: defect
//@ race: x 18 26
//@ about: a failing assertion ends one thread before its race in some schedules only
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int turn, x;
static void *first(void *arg)
{
    pthread_mutex_lock(&m);
    int mine = turn++;
    pthread_mutex_unlock(&m);
    assert(mine == 0);
    x++;
    return arg;
}
static void *second(void *arg)
{
    pthread_mutex_lock(&m);
    turn++;
    pthread_mutex_unlock(&m);
    x++;
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
