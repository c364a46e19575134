//@ verdict: race-free
//@ about: an input divides after a check
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int result;

static void *worker(void *arg)
{
    result = 1000;
    return arg;
}

int main(void)
{
    pthread_t t;
    int n = __VERIFIER_nondet_int();
    pthread_create(&t, NULL, worker, NULL);
    pthread_join(t, NULL);
    if (n <= 0)
        return 1;
    result = result / n;
    return 0;
}
