//@ verdict: race
//@ race: x 12 22
//@ about: two inputs in some order lead to a race
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
    if (a < b && b < 100)
        x = 2;
    pthread_join(t, NULL);
    return 0;
}
