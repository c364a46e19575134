//@ verdict: race-free
//@ about: an unconstrained input decides whether there is a thread
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static void *worker(void *arg)
{
    printf("%d\n", *(int *)arg);
    return NULL;
}

int main(void)
{
    int n = rand();
    if (n % 10 == 0) {
        pthread_t t;
        pthread_create(&t, NULL, worker, &n);
        pthread_join(t, NULL);
    }
    return 0;
}
