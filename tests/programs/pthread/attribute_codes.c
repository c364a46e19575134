//@ verdict: race-free
//@ about: attributes of threads refuse what POSIX says they refuse
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>

static void *work(void *arg)
{
    int policy;
    struct sched_param p;
    assert(pthread_getschedparam(pthread_self(), &policy, &p) == 0 && policy == SCHED_FIFO && p.sched_priority == 1);
    return arg;
}
int main(void)
{
    pthread_attr_t a;
    pthread_t t;
    struct sched_param p = {.sched_priority = 1};
    pthread_attr_init(&a);
    assert(pthread_attr_setdetachstate(&a, 9) == EINVAL && pthread_attr_setinheritsched(&a, 9) == EINVAL);
    assert(pthread_attr_setscope(&a, 9) == EINVAL && pthread_attr_setschedpolicy(&a, 99) == EINVAL);
    assert(pthread_attr_setstacksize(&a, 1) == EINVAL);
    assert(pthread_attr_setschedparam(&a, &p) == EINVAL);
    assert(pthread_attr_setschedpolicy(&a, SCHED_FIFO) == 0 && pthread_attr_setschedparam(&a, &p) == 0);
    assert(pthread_attr_setinheritsched(&a, PTHREAD_EXPLICIT_SCHED) == 0);
    int r = pthread_create(&t, &a, work, NULL);
    assert(r == 0 || r == EPERM);
    if (r == 0)
        pthread_join(t, NULL);
    return 0;
}
