//@ verdict: race
//@ race: count 14 23
//@ race: count 16 23
//@ race: count 23 23
//@ about: an access outside a function named __VERIFIER_atomic_* is not protected by it
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int count, limit;

static int __VERIFIER_atomic_take(void)
{
    if (count >= limit)
        return 0;
    count++;
    return 1;
}

static void *worker(void *arg)
{
    if (__VERIFIER_atomic_take())
        count--;
    return arg;
}

int main(void)
{
    pthread_t a, b;
    limit = __VERIFIER_nondet_int();
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
