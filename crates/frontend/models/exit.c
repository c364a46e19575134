/* exit.c: ending the program (C11 7.22.4, the Itanium C++ ABI 3.3.5/3.3.6). Handlers form linked lists whose heads are
 * seq_cst atomics, so that registering from two threads is no race (POSIX: atexit is thread-safe).
 * The machine calls exit(result) when main returns. */
#include "rp.h"
#include <stdatomic.h>
#include <stdlib.h>

enum handler_kind { PLAIN, WITH_ARG, WITH_STATUS };

struct handler {
    struct handler *next;
    enum handler_kind kind;
    void (*plain)(void);
    void (*with_arg)(void *);
    void (*with_status)(int, void *);
    void *arg;
    void *dso;
    int status; /* of the program's end */
};

static struct handler *_Atomic exit_handlers;
static struct handler *_Atomic quick_handlers;
static _Thread_local struct handler *thread_handlers;

static struct handler *new_handler(enum handler_kind kind, void *arg) {
    struct handler *h = __rp_alloc(sizeof *h, 16, 1, RP_MALLOC);
    h->kind = kind;
    h->arg = arg;
    return h;
}
static void push(struct handler *_Atomic *list, struct handler *h) {
    struct handler *head = atomic_load(list);
    do h->next = head;
    while (!atomic_compare_exchange_strong(list, &head, h));
}
static struct handler *pop(struct handler *_Atomic *list) {
    struct handler *head = atomic_load(list);
    while (head != NULL && !atomic_compare_exchange_strong(list, &head, head->next)) {}
    return head;
}
/* Whether main has ended by pthread_exit: then the last thread to end runs the handlers (POSIX), whichever that is. */
static _Atomic int main_left;
static void not_in_last_thread(void) {
    __rp_unsupported("functions that run at the end of a program whose main has left by pthread_exit");
}
MODEL void __rp_main_leaves(void) {
    atomic_store(&main_left, 1);
    if (atomic_load(&exit_handlers) != NULL || __rp_destructor(0) != NULL) not_in_last_thread();
}
static void register_handler(struct handler *h) {
    push(&exit_handlers, h);
    if (atomic_load(&main_left)) not_in_last_thread();
}
static void run_handler(void *p) {
    struct handler *h = p;
    if (h->kind == PLAIN) h->plain();
    else if (h->kind == WITH_ARG) h->with_arg(h->arg);
    else h->with_status(h->status, h->arg);
}
static void run(struct handler *h, int status) {
    h->status = status;
    __rp_call_noexcept(run_handler, h);
}
static void run_last(void *f) { ((void (*)(void))f)(); }
/* Handlers run last first; those registered meanwhile run too (C11 7.22.4.4 p3). */
static void run_all(struct handler *_Atomic *list, int status) {
    for (struct handler *h = pop(list); h != NULL; h = pop(list)) run(h, status);
}

MODEL int atexit(void (*f)(void)) {
    struct handler *h = new_handler(PLAIN, NULL);
    h->plain = f;
    register_handler(h);
    return 0;
}
MODEL int at_quick_exit(void (*f)(void)) {
    struct handler *h = new_handler(PLAIN, NULL);
    h->plain = f;
    push(&quick_handlers, h);
    return 0;
}
MODEL int on_exit(void (*f)(int, void *), void *arg) {
    struct handler *h = new_handler(WITH_STATUS, arg);
    h->with_status = f;
    register_handler(h);
    return 0;
}
MODEL int __cxa_atexit(void (*f)(void *), void *arg, void *dso) {
    struct handler *h = new_handler(WITH_ARG, arg);
    h->with_arg = f;
    h->dso = dso;
    register_handler(h);
    return 0;
}
/* Called with a null pointer at the end of the program, or for one shared object that is unloaded: there is only one. */
MODEL void __cxa_finalize(void *dso UNUSED) { run_all(&exit_handlers, 0); }

MODEL int __cxa_thread_atexit_impl(void (*f)(void *), void *arg, void *dso) {
    struct handler *h = new_handler(WITH_ARG, arg);
    h->with_arg = f;
    h->dso = dso;
    h->next = thread_handlers;
    thread_handlers = h;
    return 0;
}
MODEL int __cxa_thread_atexit(void (*f)(void *), void *arg, void *dso) { return __cxa_thread_atexit_impl(f, arg, dso); }

MODEL void __rp_run_thread_destructors(void) {
    while (thread_handlers != NULL) {
        struct handler *h = thread_handlers;
        thread_handlers = h->next;
        run(h, 0);
        __rp_dealloc(h, RP_MALLOC);
    }
}

MODEL _Noreturn void exit(int status) {
    __rp_run_thread_destructors();
    run_all(&exit_handlers, status);
    /* Functions with the destructor attribute run after all handlers, as those of the program's own image do. */
    void (*last)(void);
    for (unsigned i = 0; (last = __rp_destructor(i)) != NULL; i++) __rp_call_noexcept(run_last, (void *)last);
    __rp_exit(status & 0xff);
}
MODEL _Noreturn void quick_exit(int status) {
    run_all(&quick_handlers, status);
    __rp_exit(status & 0xff);
}
MODEL _Noreturn void _Exit(int status) { __rp_exit(status & 0xff); }
MODEL _Noreturn void _exit(int status) { __rp_exit(status & 0xff); }
MODEL _Noreturn void abort(void) { __rp_defect(RP_ABORT, "abort called"); }
MODEL void *__dso_handle;
