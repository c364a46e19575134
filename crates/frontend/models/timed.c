/* timed.c: waiting with a deadline (POSIX pthread_mutex_timedlock and relatives). How a wait ends is native; here is what the
 * functions make of the clock and the deadline. POSIX leaves open whether a deadline is checked where the call need not
 * wait: as in glibc mutexes do not look at it then, and all others do. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

/* They read the deadline, and wait as long as they like. */
int __rp_mutex_timedlock(pthread_mutex_t *, const struct timespec *);
int __rp_rwlock_timedrdlock(pthread_rwlock_t *, const struct timespec *);
int __rp_rwlock_timedwrlock(pthread_rwlock_t *, const struct timespec *);
int __rp_cond_timedwait(pthread_cond_t *, pthread_mutex_t *, const struct timespec *);
int __rp_sem_timedwait(sem_t *, const struct timespec *);

static int bad_deadline(const struct timespec *t) { return t->tv_nsec < 0 || t->tv_nsec >= 1000000000; }
static int bad_clock(clockid_t clock) { return clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC; }
static int timed_out(int error, const struct timespec *t) {
    return error == ETIMEDOUT && bad_deadline(t) ? EINVAL : error;
}

MODEL int pthread_mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict t) {
    return timed_out(__rp_mutex_timedlock(m, t), t);
}
MODEL int pthread_mutex_clocklock(pthread_mutex_t *restrict m, clockid_t clock, const struct timespec *restrict t) {
    return bad_clock(clock) ? EINVAL : timed_out(__rp_mutex_timedlock(m, t), t);
}
MODEL int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict l, const struct timespec *restrict t) {
    return bad_deadline(t) ? EINVAL : __rp_rwlock_timedrdlock(l, t);
}
MODEL int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict t) {
    return bad_clock(clock) || bad_deadline(t) ? EINVAL : __rp_rwlock_timedrdlock(l, t);
}
MODEL int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict l, const struct timespec *restrict t) {
    return bad_deadline(t) ? EINVAL : __rp_rwlock_timedwrlock(l, t);
}
MODEL int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict l, clockid_t clock, const struct timespec *restrict t) {
    return bad_clock(clock) || bad_deadline(t) ? EINVAL : __rp_rwlock_timedwrlock(l, t);
}
MODEL int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                                 const struct timespec *restrict t) {
    return bad_deadline(t) ? EINVAL : __rp_cond_timedwait(c, m, t);
}
MODEL int pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m, clockid_t clock,
                                 const struct timespec *restrict t) {
    return bad_clock(clock) || bad_deadline(t) ? EINVAL : __rp_cond_timedwait(c, m, t);
}
/* -1 with errno where the wait was not successful. */
MODEL int sem_timedwait(sem_t *restrict s, const struct timespec *restrict t) {
    if (!bad_deadline(t)) return __rp_sem_timedwait(s, t);
    errno = EINVAL;
    return -1;
}
MODEL int sem_clockwait(sem_t *restrict s, clockid_t clock, const struct timespec *restrict t) {
    if (!bad_clock(clock)) return sem_timedwait(s, t);
    errno = EINVAL;
    return -1;
}
