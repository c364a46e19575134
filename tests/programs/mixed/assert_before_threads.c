//@ verdict: defect
//@ races-verdict: unknown
//@ defects-verdict: defect
//@ defect: assertion 20
//@ reason: it never came to the creation of a thread
//@ about: an assertion fails before there are threads: nothing is known about races
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
    (void)argv;
    assert(argc > 1);
    pthread_t a, b;
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
