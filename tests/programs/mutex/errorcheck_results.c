//@ verdict: race-free
//@ about: an error-checking mutex reports relocking and foreign unlocking by error codes
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t lock;
static int shared;

static void *intruder(void *arg)
{
    (void)arg;
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_trylock(&lock) == EBUSY);
    return NULL;
}

int main(void)
{
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&lock, &attr);
    assert(pthread_mutex_unlock(&lock) == EPERM);
    assert(pthread_mutex_lock(&lock) == 0);
    assert(pthread_mutex_lock(&lock) == EDEADLK);
    pthread_t t;
    pthread_create(&t, NULL, intruder, NULL);
    shared = 1;
    pthread_join(t, NULL);
    assert(pthread_mutex_unlock(&lock) == 0);
    pthread_mutex_destroy(&lock);
    return 0;
}
