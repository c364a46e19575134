/* pthread.h: the system's, with cleanup handlers as records that pthread_exit finds (POSIX 2.9.5.3), where the system's
 * own macros need setjmp and longjmp. */
#pragma GCC system_header
#include_next <pthread.h>
#if defined(pthread_cleanup_push) && !defined(__RP_CLEANUP)
#define __RP_CLEANUP
#ifdef __cplusplus
extern "C" {
#endif
struct __rp_cleanup {
    void (*__routine)(void *);
    void *__arg;
    int __old_type;
    struct __rp_cleanup *__previous;
};
void __rp_cleanup_push(struct __rp_cleanup *, void (*)(void *), void *);
void __rp_cleanup_pop(struct __rp_cleanup *, int);
#ifdef __cplusplus
}
#endif
#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#define pthread_cleanup_push(routine, arg)                   \
    do {                                                     \
        struct __rp_cleanup __rp_cleanup_record;             \
        __rp_cleanup_push(&__rp_cleanup_record, (routine), (arg));
#define pthread_cleanup_pop(execute)                         \
        __rp_cleanup_pop(&__rp_cleanup_record, (execute));   \
    } while (0)
#endif
