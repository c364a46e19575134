//@ verdict: race-free
//@ about: an input decides whether a lock is used and, by another condition, whether it is needed
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int mode, shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    if (mode > 0)
        pthread_mutex_lock(&m);
    if (mode >= 10)
        shared++;
    if (mode > 0)
        pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    mode = __VERIFIER_nondet_int();
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
