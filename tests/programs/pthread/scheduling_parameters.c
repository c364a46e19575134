//@ verdict: race-free
//@ about: scheduling parameters: what is set is what is asked; bad ones are refused; privileges may be missing
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <sched.h>

int main(void)
{
    int policy = -1;
    struct sched_param p = {.sched_priority = 7};
    assert(pthread_getschedparam(pthread_self(), &policy, &p) == 0 && policy == SCHED_OTHER && p.sched_priority == 0);
    p.sched_priority = 0;
    assert(pthread_setschedparam(pthread_self(), SCHED_FIFO, &p) == EINVAL);
    assert(pthread_setschedparam(pthread_self(), 77, &p) == EINVAL);
    assert(pthread_setschedprio(pthread_self(), 5) == EINVAL);
    p.sched_priority = sched_get_priority_max(SCHED_RR) + 1;
    assert(pthread_setschedparam(pthread_self(), SCHED_RR, &p) == EINVAL);
    p.sched_priority = sched_get_priority_min(SCHED_RR);
    int r = pthread_setschedparam(pthread_self(), SCHED_RR, &p), asked = p.sched_priority;
    assert(r == 0 || r == EPERM);
    assert(pthread_getschedparam(pthread_self(), &policy, &p) == 0);
    assert(r == 0 ? policy == SCHED_RR && p.sched_priority == asked : policy == SCHED_OTHER);
    return 0;
}
