//@ verdict: race-free
//@ about: an input is passed to threads as a number; no value makes both of them write
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int shared;

static void *worker(void *arg)
{
    long n = (long)arg;
    if (n == 1)
        shared = 1;
    else if (n + 5 == 14)
        shared = 2;
    return NULL;
}

int main(void)
{
    pthread_t a, b;
    int n = __VERIFIER_nondet_int();
    pthread_create(&a, NULL, worker, (void *)(long)n);
    pthread_create(&b, NULL, worker, (void *)(long)(n + 1));
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
