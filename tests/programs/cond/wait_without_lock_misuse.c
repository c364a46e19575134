//@ verdict: defect
//@ defect: lock-misuse 20
//@ about: waiting with a mutex that the caller does not hold
#include <pthread.h>
#include <stddef.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static void *signaller(void *arg)
{
    pthread_cond_signal(&changed);
    return arg;
}

int main(void)
{
    pthread_t t;
    pthread_create(&t, NULL, signaller, NULL);
    pthread_cond_wait(&changed, &lock);
    pthread_join(t, NULL);
    return 0;
}
