/* pthread.c: creating and ending threads, once-control, thread-specific data, cleanup handlers (POSIX 2.9, threads).
 * Mutexes, condition variables, rwlocks, barriers, spin locks, semaphores, join, detach, self and equal are native.
 * A pthread_t is the machine's thread id + 1. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdatomic.h>

#undef pthread_cleanup_push
#undef pthread_cleanup_pop

/* ---- thread-specific data: keys are never used twice, so a thread's slot is null until it is set ---- */

enum { KEYS = PTHREAD_KEYS_MAX };
typedef void destructor_t(void *);
static atomic_uint keys_made;
static atomic_uint keys_deleted;
static destructor_t *_Atomic destructors[KEYS];
static _Thread_local void *slots[KEYS];
static _Thread_local unsigned slots_used; /* 1 + the highest key that this thread has set */

MODEL int pthread_key_create(pthread_key_t *key, destructor_t *destructor) {
    unsigned fresh = atomic_fetch_add(&keys_made, 1);
    if (fresh >= KEYS) {
        if (atomic_load(&keys_deleted) > 0) __rp_unsupported("keys beyond the first 1024, some of which were deleted");
        return EAGAIN;
    }
    atomic_store(&destructors[fresh], destructor);
    *key = fresh;
    return 0;
}
MODEL int __pthread_key_create(pthread_key_t *key, destructor_t *destructor) {
    return pthread_key_create(key, destructor);
}
MODEL int pthread_key_delete(pthread_key_t key) {
    if (key >= KEYS || key >= atomic_load(&keys_made)) return EINVAL;
    atomic_store(&destructors[key], NULL);
    atomic_fetch_add(&keys_deleted, 1);
    return 0;
}
MODEL void *pthread_getspecific(pthread_key_t key) { return key < KEYS ? slots[key] : NULL; }
MODEL int pthread_setspecific(pthread_key_t key, const void *value) {
    if (key >= KEYS) return EINVAL;
    slots[key] = (void *)value;
    if (slots_used <= key) slots_used = key + 1;
    return 0;
}
/* One round over the keys; returns whether a destructor ran. */
static int destroy_round(void) {
    int ran = 0;
    for (unsigned key = 0; key < slots_used; key++) {
        void *value = slots[key];
        if (value == NULL) continue;
        destructor_t *destructor = atomic_load(&destructors[key]);
        if (destructor == NULL) continue;
        slots[key] = NULL;
        __rp_call_noexcept(destructor, value);
        ran = 1;
    }
    return ran;
}
static void destroy_slots(void) {
    for (int round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; round++)
        if (!destroy_round()) return;
}

/* ---- cleanup handlers ---- */

/* The old interface, still exported: a stack of records that belong to the callers' frames. */
struct cleanup {
    void (*routine)(void *);
    void *arg;
    int old_type;
    struct cleanup *previous;
};
static _Thread_local struct cleanup *cleanups;
/* How many blocks of the header's C form (setjmp + __pthread_register_cancel) are open. Their handler is a local variable
 * of the block that only longjmp could reach: ending the thread inside one is not supported. */
static _Thread_local int open_blocks;

MODEL void _pthread_cleanup_push(struct cleanup *record, void (*routine)(void *), void *arg) {
    record->routine = routine;
    record->arg = arg;
    record->previous = cleanups;
    cleanups = record;
}
MODEL void _pthread_cleanup_pop(struct cleanup *record, int execute) {
    cleanups = record->previous;
    if (execute) record->routine(record->arg);
}
/* What raceproof's own pthread.h makes of the macros. */
MODEL void __rp_cleanup_push(struct cleanup *record, void (*routine)(void *), void *arg) {
    _pthread_cleanup_push(record, routine, arg);
}
MODEL void __rp_cleanup_pop(struct cleanup *record, int execute) { _pthread_cleanup_pop(record, execute); }
MODEL void _pthread_cleanup_push_defer(struct cleanup *record, void (*routine)(void *), void *arg) {
    _pthread_cleanup_push(record, routine, arg);
}
MODEL void _pthread_cleanup_pop_restore(struct cleanup *record, int execute) { _pthread_cleanup_pop(record, execute); }
MODEL void __pthread_register_cancel(__pthread_unwind_buf_t *buf UNUSED) { open_blocks++; }
MODEL void __pthread_unregister_cancel(__pthread_unwind_buf_t *buf UNUSED) { open_blocks--; }
/* What the header uses in C with -fexceptions: called when the block is left. (The header defines the name inline.) */
void rp_cleanup_routine(struct __pthread_cleanup_frame *) __asm__("__pthread_cleanup_routine");
MODEL void rp_cleanup_routine(struct __pthread_cleanup_frame *frame) {
    if (frame->__do_it) frame->__cancel_routine(frame->__cancel_arg);
}
MODEL _Noreturn void __pthread_unwind_next(__pthread_unwind_buf_t *buf UNUSED) {
    __rp_unsupported("unwinding a cancelled thread");
}

/* ---- the life of a thread ---- */

static _Thread_local int was_created; /* and is not the thread of main */
MODEL _Noreturn void pthread_exit(void *result) {
    if (__rp_skips_destructors()) __rp_unsupported("pthread_exit past objects that have destructors");
    if (open_blocks > 0) __rp_unsupported("pthread_exit between pthread_cleanup_push and pthread_cleanup_pop");
    while (cleanups != NULL) {
        struct cleanup *record = cleanups;
        cleanups = record->previous;
        __rp_call_noexcept(record->routine, record->arg);
    }
    __rp_run_thread_destructors();
    destroy_slots();
    if (!was_created) __rp_main_leaves();
    __rp_thread_end(result);
}
MODEL void *__rp_thread_main(void *(*start)(void *), void *arg) {
    was_created = 1;
    pthread_exit(start(arg));
}

/* A thread begins with its creator's mask of signals (signal.c). Where that is not empty, it takes it along. */
MODEL _Thread_local unsigned long long __rp_signal_mask;
MODEL _Atomic unsigned long long __rp_blocked_signals[RP_THREADS];
struct masked_start {
    void *(*start)(void *);
    void *arg;
    unsigned long long mask;
};
static void *start_masked(void *p) {
    struct masked_start s = *(struct masked_start *)p;
    __rp_dealloc(p, RP_MALLOC);
    __rp_signal_mask = s.mask;
    return s.start(s.arg);
}
static void create(void *(*start)(void *), void *arg, int detached) {
    if (__rp_signal_mask == 0) {
        __rp_thread_create(start, arg, detached);
        return;
    }
    struct masked_start *s = __rp_alloc(sizeof *s, 16, 0, RP_MALLOC);
    *s = (struct masked_start){start, arg, __rp_signal_mask};
    atomic_store(&__rp_blocked_signals[__rp_next_thread()], s->mask);
    __rp_thread_create(start_masked, s, detached);
}
/* The attribute object is ours (pthread_attr.c): detach state, whether the scheduling is inherited, policy, priority. */
MODEL int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attr, void *(*start)(void *),
                         void *restrict arg) {
    const int *asked = (const int *)(const void *)attr;
    if (asked != NULL && asked[0] == -1) __rp_defect(RP_MISUSE, "attributes that were destroyed are used");
    if (asked != NULL && asked[1] == PTHREAD_EXPLICIT_SCHED) {
        int error = __rp_thread_asks(__rp_next_thread(), asked[2], asked[3]);
        if (error != 0) return error;
    }
    *thread = __rp_next_thread() + 1; /* before the child starts */
    create(start, arg, asked != NULL && asked[0] == PTHREAD_CREATE_DETACHED);
    return 0;
}

/* glibc's hint that atomics may be skipped: never given, so that libstdc++'s reference counts are always atomic. */
MODEL char __libc_single_threaded;

/* ---- once ---- */

static void abandon_unless_done(void **once) {
    if (*once != NULL) __rp_once_abandon(*once);
}
/* If the initialiser leaves by a C++ exception, the next caller runs it again. */
MODEL int pthread_once(pthread_once_t *once, void (*initialise)(void)) {
    if (__rp_once_enter(once)) {
        __attribute__((cleanup(abandon_unless_done))) void *pending = once;
        initialise();
        pending = NULL;
        __rp_once_leave(once);
    }
    return 0;
}

/* ---- settings that change nothing here, and what is not supported ---- */

MODEL int pthread_setcancelstate(int state, int *old) {
    static _Thread_local int current = PTHREAD_CANCEL_ENABLE;
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE) return EINVAL;
    if (old != NULL) *old = current;
    current = state;
    return 0;
}
MODEL int pthread_setcanceltype(int type, int *old) {
    static _Thread_local int current = PTHREAD_CANCEL_DEFERRED;
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS) return EINVAL;
    if (old != NULL) *old = current;
    current = type;
    return 0;
}
MODEL void pthread_testcancel(void) {}
MODEL int pthread_cancel(pthread_t thread UNUSED) { __rp_not_modelled("pthread_cancel"); }
MODEL int pthread_getattr_np(pthread_t thread UNUSED, pthread_attr_t *attr UNUSED) {
    __rp_not_modelled("pthread_getattr_np");
}
MODEL int pthread_getcpuclockid(pthread_t thread UNUSED, clockid_t *clock UNUSED) {
    __rp_not_modelled("pthread_getcpuclockid");
}
/* fork is not supported, so handlers for it never run. */
MODEL int pthread_atfork(void (*prepare)(void) UNUSED, void (*parent)(void) UNUSED, void (*child)(void) UNUSED) {
    return 0;
}
MODEL int __register_atfork(void (*p)(void) UNUSED, void (*q)(void) UNUSED, void (*c)(void) UNUSED, void *d UNUSED) {
    return 0;
}
MODEL int pthread_setname_np(pthread_t thread UNUSED, const char *name) {
    size_t n = 0;
    while (name[n] != '\0') n++;
    return n > 15 ? ERANGE : 0;
}
MODEL int pthread_getname_np(pthread_t thread UNUSED, char *name UNUSED, size_t n UNUSED) {
    __rp_not_modelled("pthread_getname_np");
}
MODEL int pthread_setconcurrency(int level) { return level < 0 ? EINVAL : 0; }
MODEL int pthread_getconcurrency(void) { return 0; }
MODEL int pthread_setaffinity_np(pthread_t t UNUSED, size_t n, const cpu_set_t *set) {
    for (size_t i = 0; i < n; i++) (void)((const volatile char *)(const void *)set)[i];
    return 0;
}
MODEL int pthread_getaffinity_np(pthread_t t UNUSED, size_t n, cpu_set_t *set) {
    __builtin_memset(set, 0, n);
    *(unsigned char *)(void *)set = 1;
    return 0;
}
MODEL int pthread_yield(void) {
    __rp_yield();
    return 0;
}
