/* shim_cxx.c: the machine's primitives for native tests of the C++ models, over the real libc. Output really goes out, so that
 * a program gives the same text with the models as with the real libstdc++. */
#define _GNU_SOURCE
#include "../rp.h"
#include <errno.h>
#include <linux/futex.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

void *__rp_alloc(size_t size, size_t align, int zeroed, int family) {
    (void)family;
    void *p = memalign(align, size ? size : 1);
    memset(p, zeroed ? 0 : 0xA5, size);
    return p;
}
void __rp_dealloc(void *p, int family) {
    (void)family;
    free(p);
}
void __rp_output(int fd, const void *p, size_t n) {
    if (write(fd, p, n) != (ssize_t)n) abort();
}
_Noreturn void __rp_defect(int kind, const char *message) {
    dprintf(2, "defect %d: %s\n", kind, message);
    _exit(70);
}
_Noreturn void __rp_unsupported(const char *what) {
    dprintf(2, "unsupported: %s\n", what);
    _exit(71);
}
_Noreturn void __rp_not_modelled(const char *function) { __rp_unsupported(function); }
long long __rp_choose(long long lo, long long hi) {
    (void)hi;
    return lo;
}
/* Zero is a time that has passed, so that waits with a time limit end. */
void __rp_havoc(void *p, size_t n) { memset(p, 0, n); }
int __rp_format_float(char *out, size_t cap, const long double *v, int conversion, int flags, int precision) {
    char format[16], text[8192], *f = format;
    *f++ = '%';
    if (flags & 1) *f++ = '#';
    if (flags & 2) *f++ = '+';
    if (precision >= 0) *f++ = '.', *f++ = '*';
    int narrow = !(flags & 8);
    if (!narrow) *f++ = 'L';
    *f++ = (char)conversion;
    *f = 0;
    int n;
    if (narrow) n = precision >= 0 ? snprintf(text, sizeof text, format, precision, (double)*v) : snprintf(text, sizeof text, format, (double)*v);
    else n = precision >= 0 ? snprintf(text, sizeof text, format, precision, *v) : snprintf(text, sizeof text, format, *v);
    memcpy(out, text, (size_t)n < cap ? (size_t)n : cap);
    return n;
}
int __rp_unconstrained(const void *p, size_t n) {
    (void)p, (void)n;
    return 0;
}
void __rp_yield(void) { sched_yield(); }
unsigned __rp_thread_bound(void) { return 4; }
int __rp_fails(void) { return 0; }
int __rp_futex_wait(int *addr, int expected) {
    return syscall(SYS_futex, addr, FUTEX_WAIT, expected, NULL) == 0 ? 0 : errno;
}
int __rp_futex_wake(int *addr, int n) { return (int)syscall(SYS_futex, addr, FUTEX_WAKE, n, NULL); }

/* Guards of local statics. */
static pthread_mutex_t once_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t once_changed = PTHREAD_COND_INITIALIZER;
static struct once {
    void *key;
    int state;
} onces[64];
static struct once *find(void *key) {
    struct once *o = onces;
    while (o->key != NULL && o->key != key) o++;
    o->key = key;
    return o;
}
int __rp_once_enter(void *key) {
    pthread_mutex_lock(&once_lock);
    struct once *o = find(key);
    while (o->state == 1) pthread_cond_wait(&once_changed, &once_lock);
    int run = o->state == 0;
    if (run) o->state = 1;
    pthread_mutex_unlock(&once_lock);
    return run;
}
static void set(void *key, int state) {
    pthread_mutex_lock(&once_lock);
    find(key)->state = state;
    pthread_cond_broadcast(&once_changed);
    pthread_mutex_unlock(&once_lock);
}
void __rp_once_leave(void *key) { set(key, 2); }
void __rp_once_abandon(void *key) { set(key, 0); }

/* libsupc++'s own exception_ptr is linked instead of the model's, which needs the machine's exceptions. */
void *__cxa_current_primary_exception(void) { abort(); }
void __cxa_increment_exception_refcount(void *p) { (void)p, abort(); }
void __cxa_decrement_exception_refcount(void *p) { (void)p, abort(); }
void __cxa_rethrow_primary_exception(void *p) { (void)p, abort(); }
extern unsigned *__cxa_get_globals(void);
unsigned __cxa_uncaught_exceptions(void) { return __cxa_get_globals()[sizeof(void *) / sizeof(unsigned)]; }
