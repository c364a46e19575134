//@ verdict: race-free
//@ about: a range check by one unsigned comparison
#include <pthread.h>
#include <stddef.h>
extern unsigned __VERIFIER_nondet_uint(void);

static int a[8];

static void *worker(void *arg)
{
    a[4] = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    unsigned n = __VERIFIER_nondet_uint();
    if (n - 5u >= 3u)
        return 0;
    pthread_create(&t, NULL, worker, NULL);
    a[n] = 2;
    pthread_join(t, NULL);
    return 0;
}
