//@ verdict: race-free
//@ races-verdict: race-free
//@ defects-verdict: none
//@ unreached: thread 23
//@ about: the program ends before the second thread is there: what lies behind is in no execution
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static int x;
static void *worker(void *arg)
{
    x++;
    return arg;
}
int main(void)
{
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    if (x == 1)
        exit(0);
    pthread_create(&b, NULL, worker, NULL);
    x++;
    return 0;
}
