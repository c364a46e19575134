/* rp.h: what the library models stand on.
 *
 * The files in this folder model the C and C++ libraries. They are compiled to bitcode like user code (clang -O0) and
 * interpreted, so that the race detector sees every byte that a library function touches. Only the functions declared
 * here (and those listed in FUNCTIONS.md as native) are implemented by the machine itself.
 *
 * Rules that all files keep:
 *  - every external function is MODEL (weak): a user's own definition wins;
 *  - no hidden shared state, except where the standard or glibc's documentation says that a function is not safe to call
 *    from two threads (strtok, localtime, setenv, ...): there the race on the static object is meant to be seen;
 *  - printing to a stream never branches on the value printed (format.c), so that printing a value that the schedule
 *    decides does not count as steering control. For the same reason __rp_output and __rp_format_float must accept
 *    lengths and addresses that depend on such values without counting them as steered.
 */
#ifndef RP_H
#define RP_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#define MODEL __attribute__((weak))
#define UNUSED __attribute__((unused))

#ifdef __cplusplus
extern "C" {
#define RP_NORETURN [[noreturn]]
#else
#define RP_NORETURN _Noreturn
#endif

/* Families of heap objects, for __rp_alloc and __rp_dealloc. */
enum { RP_MALLOC = 0, RP_NEW = 1, RP_NEW_ARRAY = 2 };
/* Kinds of defects, for __rp_defect. */
enum { RP_ASSERTION = 1, RP_ABORT = 2, RP_MISUSE = 3 };

/* Memory. */
void *__rp_alloc(size_t size, size_t align, int zeroed, int family); /* contents unconstrained unless zeroed */
void __rp_dealloc(void *p, int family);                              /* detects double, invalid, mismatched free */
int __rp_allocation_may_fail(void);                                  /* --allocation may-fail */
void __rp_copy_object(void *to, const void *from, size_t n);         /* memcpy of what is freed next */
size_t __rp_usable_size(const void *p);                              /* size of the heap object that starts at p */

/* The outside world. */
void __rp_output(int fd, const void *p, size_t n);
RP_NORETURN void __rp_exit(int code);                      /* the whole program ends now */
RP_NORETURN void __rp_defect(int kind, const char *message);
RP_NORETURN void __rp_unsupported(const char *what);       /* verdict unknown, naming `what` and the user's line */
RP_NORETURN void __rp_not_modelled(const char *function);  /* the same for a function that has no model */
void (*__rp_destructor(unsigned i))(void);                 /* the i-th function to run at exit, or null */
void __rp_assume(int condition);                           /* 0: this path is not a possible one */
long long __rp_choose(long long lo, long long hi);         /* explored value by value, inclusive */
void __rp_havoc(void *p, size_t n);                        /* bytes become unconstrained inputs */

/* Floating point and text. One of fFeEgGaA; flags 1 '#', 2 '+', 4 ' ', 8 the value is a long double and not a double (which
 * only a and A show); precision -1 is the default; no padding; returns the length, writes at most cap bytes and no NUL. */
int __rp_format_float(char *out, size_t cap, const long double *v, int conversion, int flags, int precision);
double __rp_parse_double(const char *text, size_t n);
float __rp_parse_float(const char *text, size_t n);
void __rp_parse_long_double(long double *out, const char *text, size_t n);

/* Threads. A pthread_t (and a thrd_t) is the thread's id + 1. */
unsigned __rp_thread_id(void); /* 0 is the thread that runs main */
unsigned __rp_next_thread(void); /* the number that the next thread will have */
int __rp_unconstrained(const void *p, size_t n); /* is any of the bytes unconstrained? */
unsigned __rp_thread_create(void *(*start)(void *), void *arg, int detached); /* runs __rp_thread_main(start, arg) */
RP_NORETURN void __rp_thread_end(void *result); /* the calling thread ends; joiners get result */
int __rp_skips_destructors(void); /* would ending the calling thread here unwind through clean-ups of C++? */
void __rp_yield(void);                          /* a scheduling point without effect */
void __rp_atomic_begin(void);                   /* no other thread runs until __rp_atomic_end */
void __rp_atomic_end(void);
void __rp_section_begin(void);                  /* the same, and nobody is ordered by it */
void __rp_section_end(void);
unsigned __rp_thread_bound(void);               /* how many threads --threads asks for */
int __rp_sequential(void);                      /* 1 if no other thread exists yet, or any more */
int __rp_once_enter(void *once);                /* 1: run the initialiser; 0: done; blocks while another runs it */
void __rp_once_leave(void *once);               /* the initialiser has run */
void __rp_once_abandon(void *once);             /* the initialiser has thrown: another caller runs it again */
int __rp_futex_wait(int *addr, int expected);   /* 0 woken, EAGAIN if *addr != expected */
int __rp_futex_wake(int *addr, int n);          /* how many were woken */

/* Shared among the models (defined in them, not in the machine). */
enum { RP_THREADS = 1024 };                                /* more than the machine has room for */
int __rp_thread_asks(unsigned id, int policy, int priority); /* a thread's scheduling; returns an errno */
#ifndef __cplusplus
void __rp_call_noexcept(void (*f)(void *), void *arg);     /* f(arg); an exception that leaves it ends the program */
extern _Thread_local unsigned long long __rp_signal_mask;  /* the signals that the calling thread blocks */
extern _Atomic unsigned long long __rp_blocked_signals[RP_THREADS]; /* the same, of every thread, for others */
#endif
void *__rp_thread_main(void *(*start)(void *), void *arg);
int __rp_fails(void); /* is there no memory for the allocation that is asked for? */
void *__rp_try_alloc(size_t size, size_t align, int zeroed); /* as malloc; null and ENOMEM where that fails */
void __rp_main_leaves(void); /* main ends by pthread_exit (exit.c) */
void __rp_run_thread_destructors(void); /* C++ thread_local objects of the calling thread, last first */

extern int __rp_locale; /* what setlocale changes (locale.c) */
#define USES_LOCALE ((void)*(volatile int *)&__rp_locale)
long __rp_hours(void); /* how far the calling thread's clocks have advanced (time.c) */

/* One destination of formatted text: a stream's descriptor, or memory. */
struct rp_sink {
    int fd;      /* >= 0: a stream; -1: memory; -2: nowhere, only the length counts */
    char *out;   /* memory: where the next byte goes */
    size_t room; /* memory: bytes that may still be written, the terminating NUL not counted */
    char *begin; /* memory: where the first byte went */
};
int __rp_digits(char text[64], unsigned long long v, unsigned base, int bits, int upper);
int __rp_vformat(struct rp_sink *sink, const char *format, va_list args);

#ifdef __cplusplus
}
#endif
#endif
