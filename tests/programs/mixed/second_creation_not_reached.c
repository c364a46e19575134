//@ verdict: race-free
//@ races-verdict: race-free
//@ defects-verdict: none
//@ unreached: thread 22
//@ about: a thread that is created only with an argument
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
int main(int argc, char **argv)
{
    pthread_t a, b;
    (void)argv;
    pthread_create(&a, NULL, worker, NULL);
    if (argc > 1)
        pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
