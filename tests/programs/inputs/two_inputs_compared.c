//@ verdict: unknown
//@ reason: no values were found
//@ about: two inputs cannot each be less than the other; that is not followed, and no race is made up
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int x;

static void *worker(void *arg)
{
    x = 1;
    return arg;
}

int main(void)
{
    pthread_t t;
    int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    pthread_create(&t, NULL, worker, NULL);
    if (a < b)
        if (b < a)
            x = 2;
    pthread_join(t, NULL);
    return 0;
}
