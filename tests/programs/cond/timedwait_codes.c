//@ verdict: race-free
//@ about: pthread_cond_timedwait with a bad deadline or clock does not wait and keeps the mutex
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

int main(void)
{
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    struct timespec above = {1, 1000000000}, below = {1, -5}, past = {1, 0};
    pthread_mutex_lock(&m);
    assert(pthread_cond_timedwait(&c, &m, &above) == EINVAL);
    assert(pthread_cond_timedwait(&c, &m, &below) == EINVAL);
    assert(pthread_cond_clockwait(&c, &m, 99, &past) == EINVAL);
    assert(pthread_mutex_trylock(&m) == EBUSY);
    int r = pthread_cond_timedwait(&c, &m, &past);
    assert(r == ETIMEDOUT || r == 0);
    pthread_mutex_unlock(&m);
    return 0;
}
