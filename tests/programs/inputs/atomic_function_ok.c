//@ verdict: race-free
//@ about: functions named __VERIFIER_atomic_* exclude each other
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
        __VERIFIER_atomic_take();
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
