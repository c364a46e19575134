/* pthread_sched.c: what a thread's scheduling policy and priority are set to (POSIX 2.9.4). They are remembered and have no
 * effect, since any thread may be slow. Whether the caller has the privilege to ask for a real-time policy is not known: both
 * answers are explored. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

/* Policy and priority of each thread. */
static atomic_int settings[RP_THREADS];

static int pack(int policy, int priority) { return policy << 8 | priority; }
static int is_real_time(int policy) { return policy == SCHED_FIFO || policy == SCHED_RR; }
static int is_valid(int policy, int priority) {
    if (is_real_time(policy)) return priority >= 1 && priority <= 99;
    return (policy == SCHED_OTHER || policy == SCHED_BATCH || policy == SCHED_IDLE) && priority == 0;
}
static atomic_int *of(pthread_t thread) {
    unsigned id = (unsigned)thread - 1;
    if (id >= __rp_next_thread()) __rp_defect(RP_MISUSE, "the scheduling of something that is no thread");
    return &settings[id];
}
/* An errno for asking for that policy and priority. */
static int asks(int policy, int priority) {
    if (!is_valid(policy, priority)) return EINVAL;
    return is_real_time(policy) && __rp_choose(0, 1) ? EPERM : 0;
}
MODEL int __rp_thread_asks(unsigned id, int policy, int priority) {
    int error = asks(policy, priority);
    if (error == 0) atomic_store(&settings[id], pack(policy, priority));
    return error;
}
MODEL int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *p) {
    return of(thread) ? __rp_thread_asks((unsigned)thread - 1, policy, p->sched_priority) : 0;
}
MODEL int pthread_getschedparam(pthread_t thread, int *restrict policy, struct sched_param *restrict p) {
    int now = atomic_load(of(thread));
    *policy = now >> 8;
    p->sched_priority = now & 0xff;
    return 0;
}
MODEL int pthread_setschedprio(pthread_t thread, int priority) {
    int now = atomic_load(of(thread));
    return __rp_thread_asks((unsigned)thread - 1, now >> 8, priority);
}
