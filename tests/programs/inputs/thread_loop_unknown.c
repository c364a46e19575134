//@ verdict: unknown
//@ reason: limit
//@ options: --max-states 3000
//@ about: threads are created as long as an input says so: without end, so no search decides
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
    pthread_mutex_lock(&m);
    data = 3;
    pthread_mutex_unlock(&m);
    return 0;
}
