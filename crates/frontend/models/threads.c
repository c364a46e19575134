/* threads.c: C11 threads (7.26) on top of pthreads. A thrd_t is a pthread_t, an mtx_t holds a pthread_mutex_t and a cnd_t a
 * pthread_cond_t, as in glibc. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include <time.h>

_Static_assert(sizeof(mtx_t) >= sizeof(pthread_mutex_t) && sizeof(cnd_t) >= sizeof(pthread_cond_t), "same storage");
static pthread_mutex_t *mutex(mtx_t *m) { return (pthread_mutex_t *)(void *)m; }
static pthread_cond_t *condition(cnd_t *c) { return (pthread_cond_t *)(void *)c; }
static int result(int error) {
    switch (error) {
    case 0: return thrd_success;
    case ENOMEM: return thrd_nomem;
    case ETIMEDOUT: return thrd_timedout;
    case EBUSY: return thrd_busy;
    default: return thrd_error;
    }
}

/* ---- threads ---- */
struct start {
    thrd_start_t function;
    void *arg;
};
static void *run(void *p) {
    struct start s = *(struct start *)p;
    __rp_dealloc(p, RP_MALLOC);
    return (void *)(intptr_t)s.function(s.arg);
}
MODEL int thrd_create(thrd_t *thread, thrd_start_t function, void *arg) {
    struct start *s = __rp_alloc(sizeof *s, 16, 0, RP_MALLOC);
    s->function = function;
    s->arg = arg;
    return result(pthread_create((pthread_t *)thread, NULL, run, s));
}
MODEL int thrd_join(thrd_t thread, int *out) {
    void *value;
    int error = pthread_join((pthread_t)thread, &value);
    if (error == 0 && out != NULL) *out = (int)(intptr_t)value;
    return result(error);
}
MODEL int thrd_detach(thrd_t thread) { return result(pthread_detach((pthread_t)thread)); }
MODEL thrd_t thrd_current(void) { return (thrd_t)pthread_self(); }
MODEL int thrd_equal(thrd_t a, thrd_t b) { return a == b; }
MODEL _Noreturn void thrd_exit(int value) { pthread_exit((void *)(intptr_t)value); }
MODEL void thrd_yield(void) { __rp_yield(); }
MODEL int thrd_sleep(const struct timespec *t, struct timespec *rest) {
    if (t->tv_sec < 0 || t->tv_nsec < 0 || t->tv_nsec > 999999999) return -2;
    __rp_yield();
    if (rest != NULL) rest->tv_sec = 0, rest->tv_nsec = 0;
    return 0;
}

/* ---- mutexes ---- */
MODEL int mtx_init(mtx_t *m, int type) {
    int kind = type & ~mtx_recursive;
    if (kind != mtx_plain && kind != mtx_timed) return thrd_error;
    pthread_mutexattr_t attr;
    pthread_mutexattr_init(&attr);
    pthread_mutexattr_settype(&attr, type & mtx_recursive ? PTHREAD_MUTEX_RECURSIVE : PTHREAD_MUTEX_NORMAL);
    int error = pthread_mutex_init(mutex(m), &attr);
    pthread_mutexattr_destroy(&attr);
    return result(error);
}
MODEL void mtx_destroy(mtx_t *m) { pthread_mutex_destroy(mutex(m)); }
MODEL int mtx_lock(mtx_t *m) { return result(pthread_mutex_lock(mutex(m))); }
MODEL int mtx_trylock(mtx_t *m) { return result(pthread_mutex_trylock(mutex(m))); }
MODEL int mtx_unlock(mtx_t *m) { return result(pthread_mutex_unlock(mutex(m))); }
MODEL int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict t) {
    return result(pthread_mutex_timedlock(mutex(m), t));
}

/* ---- condition variables ---- */
MODEL int cnd_init(cnd_t *c) { return result(pthread_cond_init(condition(c), NULL)); }
MODEL void cnd_destroy(cnd_t *c) { pthread_cond_destroy(condition(c)); }
MODEL int cnd_signal(cnd_t *c) { return result(pthread_cond_signal(condition(c))); }
MODEL int cnd_broadcast(cnd_t *c) { return result(pthread_cond_broadcast(condition(c))); }
MODEL int cnd_wait(cnd_t *c, mtx_t *m) { return result(pthread_cond_wait(condition(c), mutex(m))); }
MODEL int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict t) {
    return result(pthread_cond_timedwait(condition(c), mutex(m), t));
}

/* ---- thread-specific storage and once ---- */
MODEL int tss_create(tss_t *key, tss_dtor_t destructor) {
    return result(pthread_key_create((pthread_key_t *)key, destructor));
}
MODEL void tss_delete(tss_t key) { pthread_key_delete((pthread_key_t)key); }
MODEL void *tss_get(tss_t key) { return pthread_getspecific((pthread_key_t)key); }
MODEL int tss_set(tss_t key, void *value) { return result(pthread_setspecific((pthread_key_t)key, value)); }
MODEL void call_once(once_flag *flag, void (*f)(void)) { pthread_once((pthread_once_t *)(void *)flag, f); }
