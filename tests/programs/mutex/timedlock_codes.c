//@ verdict: race-free
//@ about: what timed locks say: a bad deadline counts only where the call would wait; a bad clock always
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static struct timespec below = {1, -1}, above = {1, 1000000000}, past = {0, 999999999};

static void *other(void *arg)
{
    assert(pthread_mutex_timedlock(&m, &below) == EINVAL);
    assert(pthread_mutex_timedlock(&m, &above) == EINVAL);
    assert(pthread_mutex_timedlock(&m, &past) == ETIMEDOUT);
    assert(pthread_mutex_clocklock(&m, 77, &past) == EINVAL);
    assert(pthread_mutex_clocklock(&m, CLOCK_MONOTONIC, &past) == ETIMEDOUT);
    assert(pthread_rwlock_timedrdlock(&l, &above) == EINVAL);
    assert(pthread_rwlock_timedwrlock(&l, &below) == EINVAL);
    assert(pthread_rwlock_timedrdlock(&l, &past) == ETIMEDOUT);
    assert(pthread_rwlock_clockwrlock(&l, CLOCK_REALTIME, &past) == ETIMEDOUT);
    return arg;
}
int main(void)
{
    pthread_t t;
    assert(pthread_mutex_timedlock(&m, &above) == 0); /* free: the deadline is not looked at */
    assert(pthread_rwlock_timedwrlock(&l, &past) == 0);
    pthread_create(&t, 0, other, 0);
    pthread_join(t, 0);
    pthread_rwlock_unlock(&l);
    pthread_mutex_unlock(&m);
    return 0;
}
