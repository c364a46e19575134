//@ verdict: race
//@ race: data 13 23
//@ about: threads are created as long as an input says so; main writes without the lock
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);

static int data;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *worker(void *arg)
{
    pthread_mutex_lock(&m);
    data++;
    pthread_mutex_unlock(&m);
    return arg;
}

int main(void)
{
    pthread_t t;
    while (__VERIFIER_nondet_int())
        pthread_create(&t, 0, worker, 0);
    data = 3;
    return 0;
}
