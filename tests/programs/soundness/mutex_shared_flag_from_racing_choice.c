//@ verdict: race-free
//@ about: an attribute that decides nothing about the mutex may depend on the schedule
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER, m;
static int shared = PTHREAD_PROCESS_PRIVATE, sum;
static void *change(void *arg)
{
    pthread_mutex_lock(&guard);
    shared = PTHREAD_PROCESS_SHARED;
    pthread_mutex_unlock(&guard);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_mutexattr_t a;
    pthread_mutexattr_init(&a);
    pthread_create(&t, 0, change, 0);
    pthread_mutex_lock(&guard);
    pthread_mutexattr_setpshared(&a, shared);
    pthread_mutex_unlock(&guard);
    pthread_mutex_init(&m, &a);
    pthread_mutex_lock(&m);
    sum++;
    pthread_mutex_unlock(&m);
    pthread_join(t, 0);
    assert(sum == 1);
    return 0;
}
