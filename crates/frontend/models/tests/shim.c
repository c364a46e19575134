/* shim.c: the machine's primitives for native tests of the models. The models' own symbols have been renamed to m_*, so
 * that they stand beside the real libc in one program. */
#define _GNU_SOURCE
#include "../rp.h"
#include "shim.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char shim_output[1 << 16];
size_t shim_output_length;
_Thread_local jmp_buf *shim_catch;
const char *shim_message;
int shim_kind;
int shim_live_objects;

struct header {
    size_t size;
    int family;
    int magic;
};
void *__rp_alloc(size_t size, size_t align, int zeroed, int family) {
    if (align < 32) align = 32;
    char *base = aligned_alloc(align, (align + size + align) / align * align);
    if (base == NULL) abort();
    memset(base + align, zeroed ? 0 : 0xA5, size);
    struct header h = {size, family, 0x5EED};
    memcpy(base + align - sizeof h, &h, sizeof h);
    memcpy(base + align - sizeof h - sizeof align, &align, sizeof align);
    __atomic_add_fetch(&shim_live_objects, 1, __ATOMIC_SEQ_CST);
    return base + align;
}
static struct header *header(const void *p) { return (struct header *)((char *)p - sizeof(struct header)); }
void __rp_dealloc(void *p, int family) {
    struct header *h = header(p);
    size_t align;
    if (h->magic != 0x5EED || h->family != family) __rp_defect(RP_MISUSE, "bad free");
    memcpy(&align, (char *)h - sizeof align, sizeof align);
    h->magic = 0;
    __atomic_sub_fetch(&shim_live_objects, 1, __ATOMIC_SEQ_CST);
    free((char *)p - align);
}
size_t __rp_usable_size(const void *p) { return header(p)->size; }

void __rp_output(int fd, const void *p, size_t n) {
    (void)fd;
    if (shim_output_length + n > sizeof shim_output) abort();
    memcpy(shim_output + shim_output_length, p, n);
    shim_output_length += n;
}
static _Noreturn void leave(int kind, const char *message) {
    if (shim_catch == NULL) {
        fprintf(stderr, "unexpected end, kind %d: %s\n", kind, message);
        abort();
    }
    shim_kind = kind;
    free((void *)shim_message);
    shim_message = strdup(message);
    longjmp(*shim_catch, 1);
}
_Noreturn void __rp_exit(int code) { leave(100 + code, "exit"); }
_Noreturn void __rp_defect(int kind, const char *message) { leave(kind, message); }
_Noreturn void __rp_unsupported(const char *what) { leave(50, what); }
_Noreturn void __rp_not_modelled(const char *function) { leave(50, function); }
void __rp_assume(int condition) {
    if (!condition) leave(51, "assume");
}
long long __rp_choose(long long lo, long long hi) {
    (void)hi;
    return lo;
}
void __rp_havoc(void *p, size_t n) {
    for (size_t i = 0; i < n; i++) ((unsigned char *)p)[i] = (unsigned char)rand();
}
int __rp_unconstrained(const void *p, size_t n) {
    (void)p, (void)n;
    return 0;
}
void (*__rp_destructor(unsigned i))(void) {
    (void)i;
    return NULL;
}
int __rp_skips_destructors(void) { return 0; }
int __rp_format_float(char *out, size_t cap, const long double *v, int conversion, int flags, int precision) {
    char format[16], *f = format;
    *f++ = '%';
    if (flags & 1) *f++ = '#';
    if (flags & 2) *f++ = '+';
    if (flags & 4) *f++ = ' ';
    if (precision >= 0) *f++ = '.', *f++ = '*';
    int narrow = !(flags & 8);
    if (!narrow) *f++ = 'L';
    *f++ = (char)conversion;
    *f = 0;
    char *text;
    int n = precision >= 0 ? (narrow ? asprintf(&text, format, precision, (double)*v) : asprintf(&text, format, precision, *v))
                           : (narrow ? asprintf(&text, format, (double)*v) : asprintf(&text, format, *v));
    memcpy(out, text, (size_t)n < cap ? (size_t)n : cap);
    free(text);
    return n;
}
static char *terminated(const char *text, size_t n) { return strndup(text, n); }
double __rp_parse_double(const char *text, size_t n) {
    char *t = terminated(text, n);
    double v = strtod(t, NULL);
    free(t);
    return v;
}
float __rp_parse_float(const char *text, size_t n) {
    char *t = terminated(text, n);
    float v = strtof(t, NULL);
    free(t);
    return v;
}
void __rp_parse_long_double(long double *out, const char *text, size_t n) {
    char *t = terminated(text, n);
    *out = strtold(t, NULL);
    free(t);
}

/* ---- threads: real ones ---- */

static struct thread {
    pthread_t thread;
    void *(*start)(void *);
    void *arg;
    void *result;
} threads[64];
static unsigned thread_count = 1;
static _Thread_local unsigned self;
static _Thread_local jmp_buf thread_exit;

void *m___rp_thread_main(void *(*start)(void *), void *arg);
static void *enter(void *p) {
    struct thread *t = p;
    self = (unsigned)(t - threads);
    if (setjmp(thread_exit) == 0) m___rp_thread_main(t->start, t->arg);
    return t->result;
}
unsigned __rp_thread_id(void) { return self; }
unsigned __rp_next_thread(void) { return __atomic_load_n(&thread_count, __ATOMIC_SEQ_CST); }
unsigned __rp_thread_create(void *(*start)(void *), void *arg, int detached) {
    unsigned id = __atomic_fetch_add(&thread_count, 1, __ATOMIC_SEQ_CST);
    threads[id].start = start;
    threads[id].arg = arg;
    pthread_create(&threads[id].thread, NULL, enter, &threads[id]);
    if (detached) pthread_detach(threads[id].thread);
    return id;
}
_Noreturn void __rp_thread_end(void *result) {
    threads[self].result = result;
    longjmp(thread_exit, 1);
}
int native_pthread_join(pthread_t t, void **out) { return pthread_join(threads[t - 1].thread, out); }
int native_pthread_detach(pthread_t t) { return pthread_detach(threads[t - 1].thread); }
pthread_t native_pthread_self(void) { return self + 1; }
void __rp_yield(void) { sched_yield(); }
static pthread_mutex_t section = PTHREAD_MUTEX_INITIALIZER;
void __rp_atomic_begin(void) { pthread_mutex_lock(&section); }
void __rp_atomic_end(void) { pthread_mutex_unlock(&section); }
void __rp_section_begin(void) { pthread_mutex_lock(&section); }
void __rp_section_end(void) { pthread_mutex_unlock(&section); }
unsigned __rp_thread_bound(void) { return 4; }
void __rp_copy_object(void *to, const void *from, size_t n) { memcpy(to, from, n); }
int __rp_allocation_may_fail(void) { return 0; }
void __rp_call_noexcept(void (*f)(void *), void *arg) { f(arg); }
void *__rp_new_nothrow(void *(*allocate)(size_t), size_t n) { return allocate(n); }
void *__rp_new_aligned_nothrow(void *(*allocate)(size_t, size_t), size_t n, size_t align) { return allocate(n, align); }
int __rp_mutex_timedlock(pthread_mutex_t *m, const struct timespec *t) { return pthread_mutex_timedlock(m, t); }
int __rp_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *t) { return pthread_rwlock_timedrdlock(l, t); }
int __rp_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *t) { return pthread_rwlock_timedwrlock(l, t); }
int __rp_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const struct timespec *t) {
    return pthread_cond_timedwait(c, m, t);
}
int __rp_sem_timedwait(sem_t *s, const struct timespec *t) { return sem_timedwait(s, t); }
int __rp_sequential(void) { return 0; }

static struct once {
    void *key;
    int state; /* 1 running, 2 done */
} onces[64];
static pthread_mutex_t once_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t once_changed = PTHREAD_COND_INITIALIZER;
static struct once *find_once(void *key) {
    struct once *o = onces;
    while (o->key != NULL && o->key != key) o++;
    o->key = key;
    return o;
}
int __rp_once_enter(void *key) {
    pthread_mutex_lock(&once_lock);
    struct once *o = find_once(key);
    while (o->state == 1) pthread_cond_wait(&once_changed, &once_lock);
    int run = o->state == 0;
    if (run) o->state = 1;
    pthread_mutex_unlock(&once_lock);
    return run;
}
static void set_once(void *key, int state) {
    pthread_mutex_lock(&once_lock);
    find_once(key)->state = state;
    pthread_cond_broadcast(&once_changed);
    pthread_mutex_unlock(&once_lock);
}
void __rp_once_leave(void *key) { set_once(key, 2); }
void __rp_once_abandon(void *key) { set_once(key, 0); }

/* A polling futex is enough here. */
int __rp_futex_wait(int *addr, int expected) {
    if (__atomic_load_n(addr, __ATOMIC_SEQ_CST) != expected) return EAGAIN;
    while (__atomic_load_n(addr, __ATOMIC_SEQ_CST) == expected) sched_yield();
    return 0;
}
int __rp_futex_wake(int *addr, int n) {
    (void)addr;
    return n > 0;
}

/* ---- counting checks ---- */

int shim_checks, shim_failures;
void shim_check(int ok, const char *file, int line, const char *format, ...) {
    shim_checks++;
    if (ok) return;
    if (++shim_failures > 40) return;
    va_list args;
    va_start(args, format);
    fprintf(stderr, "%s:%d: ", file, line);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}
int shim_end(void) {
    printf("%d checks, %d failures\n", shim_checks, shim_failures);
    return shim_failures == 0 ? 0 : 1;
}

/* ---- copying (copies.h) ---- */

void *shim_memcpy(void *to, const void *from, size_t n) { return memcpy(to, from, n); }
void *shim_memmove(void *to, const void *from, size_t n) { return memmove(to, from, n); }
void *shim_memset(void *to, int c, size_t n) { return memset(to, c, n); }

/* ---- mathematics ---- */

double __rp_lgamma(double v) { return lgamma(v); }
float __rp_lgammaf(float v) { return lgammaf(v); }
