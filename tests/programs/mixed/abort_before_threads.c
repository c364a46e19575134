//@ verdict: defect
//@ races-verdict: unknown
//@ defects-verdict: defect
//@ defect: abort 18
//@ about: the same with abort
#include <pthread.h>
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
static void *worker(void *arg)
{
    return arg;
}
int main(int argc, char **argv)
{
    (void)argv;
    if (argc == 1)
        abort();
    pthread_t a;
    pthread_create(&a, NULL, worker, NULL);
    pthread_join(a, NULL);
    return 0;
}
