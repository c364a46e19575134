/* pthread_attr.c: attribute objects (POSIX). Their bytes are laid out here; two layouts are agreed on with others:
 * pthread_create (pthread.c) reads the detach state in the first int of a pthread_attr_t, and the machine's
 * pthread_mutex_init reads the kind in the first int of a pthread_mutexattr_t (& 3: 0 normal, 1 recursive, 2 errorcheck, 3 adaptive).
 * A destroyed object holds -1 there, which pthread_create and the machine's initialisers look for as well. Priorities, scopes, stack sizes and process sharing are remembered and have no effect. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>

struct thread_attr {
    int detach_state, inherit, policy, priority, scope;
    size_t guard;
    void *stack;
    size_t stack_size;
};
_Static_assert(sizeof(struct thread_attr) <= sizeof(pthread_attr_t), "a pthread_attr_t holds our fields");

/* What the first int of a destroyed object holds: until it is initialised again, nobody may use it. */
enum { DESTROYED = -1 };
static int destroyed(void *a) {
    *(int *)a = DESTROYED;
    return 0;
}
static void *alive(const void *a) {
    if (*(const int *)a == DESTROYED) __rp_defect(RP_MISUSE, "attributes that were destroyed are used");
    return (void *)a;
}

static struct thread_attr *fields(pthread_attr_t *a) { return alive(a); }
static const struct thread_attr *const_fields(const pthread_attr_t *a) { return alive(a); }

MODEL int pthread_attr_init(pthread_attr_t *a) {
    struct thread_attr initial = {PTHREAD_CREATE_JOINABLE, PTHREAD_INHERIT_SCHED, SCHED_OTHER, 0,
                                  PTHREAD_SCOPE_SYSTEM,    4096,                  NULL,        8u << 20};
    *(struct thread_attr *)(void *)a = initial;
    return 0;
}
MODEL int pthread_attr_destroy(pthread_attr_t *a) { return destroyed(fields(a)); }

/* A pair of functions for one field; `valid` is a condition over v. */
#define FIELD(name, field, type, valid)                                              \
    MODEL int pthread_attr_set##name(pthread_attr_t *a, type v) {                    \
        if (!(valid)) return EINVAL;                                                 \
        fields(a)->field = v;                                                        \
        return 0;                                                                    \
    }                                                                                \
    MODEL int pthread_attr_get##name(const pthread_attr_t *restrict a, type *restrict v) { \
        *v = const_fields(a)->field;                                                 \
        return 0;                                                                    \
    }
FIELD(detachstate, detach_state, int, v == PTHREAD_CREATE_JOINABLE || v == PTHREAD_CREATE_DETACHED)
FIELD(inheritsched, inherit, int, v == PTHREAD_INHERIT_SCHED || v == PTHREAD_EXPLICIT_SCHED)
FIELD(schedpolicy, policy, int, v == SCHED_OTHER || v == SCHED_FIFO || v == SCHED_RR)
FIELD(guardsize, guard, size_t, 1)
FIELD(stacksize, stack_size, size_t, v >= 16384)

MODEL int pthread_attr_setscope(pthread_attr_t *a, int v) {
    if (v == PTHREAD_SCOPE_PROCESS) return ENOTSUP;
    if (v != PTHREAD_SCOPE_SYSTEM) return EINVAL;
    fields(a)->scope = v;
    return 0;
}
MODEL int pthread_attr_getscope(const pthread_attr_t *restrict a, int *restrict v) {
    *v = const_fields(a)->scope;
    return 0;
}
MODEL int pthread_attr_setschedparam(pthread_attr_t *restrict a, const struct sched_param *restrict p) {
    int lowest = sched_get_priority_min(fields(a)->policy), highest = sched_get_priority_max(fields(a)->policy);
    if (p->sched_priority < lowest || p->sched_priority > highest) return EINVAL;
    fields(a)->priority = p->sched_priority;
    return 0;
}
MODEL int pthread_attr_getschedparam(const pthread_attr_t *restrict a, struct sched_param *restrict p) {
    p->sched_priority = const_fields(a)->priority;
    return 0;
}
MODEL int pthread_attr_setstack(pthread_attr_t *a, void *stack, size_t size) {
    if (size < 16384) return EINVAL;
    /* Threads have their stacks elsewhere: that they use this memory would not be seen. */
    if (stack != NULL) __rp_not_modelled("pthread_attr_setstack");
    fields(a)->stack = stack;
    fields(a)->stack_size = size;
    return 0;
}
MODEL int pthread_attr_getstack(const pthread_attr_t *restrict a, void **restrict stack, size_t *restrict size) {
    *stack = const_fields(a)->stack;
    *size = const_fields(a)->stack_size;
    return 0;
}
MODEL int pthread_attr_setstackaddr(pthread_attr_t *a, void *stack) {
    fields(a)->stack = stack;
    return 0;
}
MODEL int pthread_attr_getstackaddr(const pthread_attr_t *restrict a, void **restrict stack) {
    *stack = const_fields(a)->stack;
    return 0;
}
MODEL int pthread_attr_setaffinity_np(pthread_attr_t *a UNUSED, size_t n UNUSED, const cpu_set_t *s UNUSED) {
    return 0;
}

/* ---- the other objects' attributes: one int with the kind and flags above it ---- */

enum { SHARED = 1 << 4, ROBUST = 1 << 5, PROTOCOL_SHIFT = 6, PROTOCOL_MASK = 3 << 6, CEILING_SHIFT = 12 };

static int get_flag(const void *a, int flag) { return (*(const int *)alive(a) & flag) != 0; }
static void set_flag(void *a, int flag, int on) {
    int *word = alive(a);
    *word = (*word & ~flag) | (on ? flag : 0);
}
static int set_shared(void *a, int v) {
    if (v != PTHREAD_PROCESS_PRIVATE && v != PTHREAD_PROCESS_SHARED) return EINVAL;
    set_flag(a, SHARED, v == PTHREAD_PROCESS_SHARED);
    return 0;
}
#define ATTRIBUTE(kind)                                                                                    \
    MODEL int pthread_##kind##attr_init(pthread_##kind##attr_t *a) {                                       \
        *(int *)(void *)a = 0;                                                                             \
        return 0;                                                                                          \
    }                                                                                                      \
    MODEL int pthread_##kind##attr_destroy(pthread_##kind##attr_t *a) { return destroyed(alive(a)); }          \
    MODEL int pthread_##kind##attr_setpshared(pthread_##kind##attr_t *a, int v) { return set_shared(a, v); } \
    MODEL int pthread_##kind##attr_getpshared(const pthread_##kind##attr_t *restrict a, int *restrict v) { \
        *v = get_flag(a, SHARED) ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;                       \
        return 0;                                                                                          \
    }
ATTRIBUTE(mutex)
ATTRIBUTE(cond)
ATTRIBUTE(barrier)

MODEL int pthread_mutexattr_settype(pthread_mutexattr_t *a, int kind) {
    if (kind < PTHREAD_MUTEX_NORMAL || kind > PTHREAD_MUTEX_ADAPTIVE_NP) return EINVAL;
    int *word = alive(a);
    *word = (*word & ~3) | kind;
    return 0;
}
MODEL int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict a, int *restrict kind) {
    *kind = *(const int *)alive(a) & 3;
    return 0;
}
MODEL int pthread_mutexattr_setkind_np(pthread_mutexattr_t *a, int kind) { return pthread_mutexattr_settype(a, kind); }
MODEL int pthread_mutexattr_getkind_np(const pthread_mutexattr_t *a, int *kind) {
    return pthread_mutexattr_gettype(a, kind);
}
/* A robust mutex differs only after its owner has died holding it; asking for one is where support ends. */
MODEL int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int v) {
    if (v != PTHREAD_MUTEX_STALLED && v != PTHREAD_MUTEX_ROBUST) return EINVAL;
    if (v == PTHREAD_MUTEX_ROBUST) __rp_unsupported("robust mutexes");
    set_flag(a, ROBUST, 0);
    return 0;
}
MODEL int pthread_mutexattr_getrobust(const pthread_mutexattr_t *a, int *v) {
    *v = get_flag(a, ROBUST) ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED;
    return 0;
}
MODEL int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int v) {
    if (v < PTHREAD_PRIO_NONE || v > PTHREAD_PRIO_PROTECT) return EINVAL;
    int *word = alive(a);
    *word = (*word & ~PROTOCOL_MASK) | v << PROTOCOL_SHIFT;
    return 0;
}
MODEL int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *restrict a, int *restrict v) {
    *v = (*(const int *)alive(a) & PROTOCOL_MASK) >> PROTOCOL_SHIFT;
    return 0;
}
MODEL int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *a, int v) {
    if (v < 1 || v > 99) return EINVAL;
    int *word = alive(a);
    *word = (*word & 0xfff) | v << CEILING_SHIFT;
    return 0;
}
MODEL int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *restrict a, int *restrict v) {
    *v = *(const int *)alive(a) >> CEILING_SHIFT;
    return 0;
}

MODEL int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) return EINVAL;
    set_flag(a, 2, clock == CLOCK_MONOTONIC);
    return 0;
}
MODEL int pthread_condattr_getclock(const pthread_condattr_t *restrict a, clockid_t *restrict clock) {
    *clock = get_flag(a, 2) ? CLOCK_MONOTONIC : CLOCK_REALTIME;
    return 0;
}

MODEL int pthread_rwlockattr_init(pthread_rwlockattr_t *a) {
    *(int *)(void *)a = 0;
    return 0;
}
MODEL int pthread_rwlockattr_destroy(pthread_rwlockattr_t *a) { return destroyed(alive(a)); }
MODEL int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a, int v) { return set_shared(a, v); }
MODEL int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *restrict a, int *restrict v) {
    *v = get_flag(a, SHARED) ? PTHREAD_PROCESS_SHARED : PTHREAD_PROCESS_PRIVATE;
    return 0;
}
MODEL int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *a, int kind) {
    if (kind < PTHREAD_RWLOCK_PREFER_READER_NP || kind > PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP) return EINVAL;
    int *word = alive(a);
    *word = (*word & ~3) | kind;
    return 0;
}
MODEL int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *restrict a, int *restrict kind) {
    *kind = *(const int *)alive(a) & 3;
    return 0;
}
