//@ verdict: race
//@ races-verdict: race
//@ defects-verdict: defect
//@ race: x 21 21
//@ about: one order of the locks leads to a race, the other to a deadlock
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, first;
static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    int mine = first;
    first = 1;
    pthread_mutex_unlock(&m);
    if (mine && arg)
        for (;;)
            pthread_mutex_lock(&m);
    x++;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, &x);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
