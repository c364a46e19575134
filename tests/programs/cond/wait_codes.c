//@ verdict: race-free
//@ about: waiting with an error-checking mutex that the thread does not hold says EPERM
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int main(void)
{
    pthread_mutexattr_t a;
    pthread_mutex_t m;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int type;
    pthread_mutexattr_init(&a);
    assert(pthread_mutexattr_settype(&a, 4) == EINVAL);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ADAPTIVE_NP);
    assert(pthread_mutexattr_gettype(&a, &type) == 0 && type == PTHREAD_MUTEX_ADAPTIVE_NP);
    pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
    pthread_mutex_init(&m, &a);
    assert(pthread_cond_wait(&c, &m) == EPERM);
    assert(pthread_mutex_unlock(&m) == EPERM);
    assert(pthread_mutex_lock(&m) == 0);
    assert(pthread_mutex_lock(&m) == EDEADLK);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    pthread_mutex_unlock(&m);
    pthread_mutex_destroy(&m);
    return 0;
}
