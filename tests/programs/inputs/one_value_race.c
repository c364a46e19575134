//@ verdict: race
//@ race: shared 14 14
//@ about: only one value of an input leaves the lock out
#include <pthread.h>
#include <stddef.h>
extern int __VERIFIER_nondet_int(void);

static int shared, key;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    if (key == 424242) {
        shared++;
        return arg;
    }
    pthread_mutex_lock(&m);
    shared++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t a, b;
    key = __VERIFIER_nondet_int();
    pthread_create(&a, NULL, worker, NULL);
    pthread_create(&b, NULL, worker, NULL);
    pthread_join(a, NULL);
    pthread_join(b, NULL);
    return 0;
}
