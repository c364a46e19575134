/* cxxabi.c: the parts of the Itanium C++ ABI that need no C++: operator new and delete (C++20 17.6.2, under their mangled
 * names; size_t is m on x86-64 and j on i386), guards of local statics (ABI 3.3.3), and fatal calls. Exceptions
 * (__cxa_throw and relatives) are native in the machine. */
#include "rp.h"

#if __SIZEOF_SIZE_T__ == 8
#define NEW(name) _Zn##name##m
#define ALIGNED(name) _Zn##name##mSt11align_val_t
#define NOTHROW(name) _Zn##name##mRKSt9nothrow_t
#define ALIGNED_NOTHROW(name) _Zn##name##mSt11align_val_tRKSt9nothrow_t
#define SIZED_DELETE(name) _Zd##name##Pvm
#define SIZED_ALIGNED_DELETE(name) _Zd##name##PvmSt11align_val_t
#else
#define NEW(name) _Zn##name##j
#define ALIGNED(name) _Zn##name##jSt11align_val_t
#define NOTHROW(name) _Zn##name##jRKSt9nothrow_t
#define ALIGNED_NOTHROW(name) _Zn##name##jSt11align_val_tRKSt9nothrow_t
#define SIZED_DELETE(name) _Zd##name##Pvj
#define SIZED_ALIGNED_DELETE(name) _Zd##name##PvjSt11align_val_t
#endif

_Noreturn void _ZSt17__throw_bad_allocv(void); /* cxx_throw.cpp */
void *__rp_new_nothrow(void *(*allocate)(size_t), size_t n);
void *__rp_new_aligned_nothrow(void *(*allocate)(size_t, size_t), size_t n, size_t align);

typedef void handler_t(void);
static handler_t *new_handler;
MODEL handler_t *_ZSt15set_new_handlerPFvvE(handler_t *h) {
    return __atomic_exchange_n(&new_handler, h, __ATOMIC_SEQ_CST);
}
MODEL handler_t *_ZSt15get_new_handlerv(void) { return __atomic_load_n(&new_handler, __ATOMIC_SEQ_CST); }

static void *try_allocate(size_t size, size_t align, int family) {
    return size > PTRDIFF_MAX || __rp_fails() ? NULL : __rp_alloc(size, align, 0, family);
}
/* As long as there is no memory, the new handler is called, which finds some, throws, or ends the program (17.6.3.5). */
static void *allocate(size_t size, size_t align, int family) {
    for (;;) {
        void *p = try_allocate(size, align, family);
        if (p != NULL) return p;
        handler_t *h = __atomic_load_n(&new_handler, __ATOMIC_SEQ_CST);
        if (h == NULL) _ZSt17__throw_bad_allocv();
        h();
    }
}
static void release(void *p, int family) {
    if (p != NULL) __rp_dealloc(p, family);
}

/* A program may replace each of these functions, and what it does not replace calls what it does (17.6.2.2, 17.6.2.3): arrays
 * by single objects, those that do not throw and deletes with a size by the plain ones. The defaults know their
 * objects' family, so that a mismatched delete is seen; so they call the plain ones only where those were replaced. */
#define DEFAULT(name, target) __typeof__(target) name __attribute__((weak, alias(#target)))

static void *new_one(size_t n) { return allocate(n, 16, RP_NEW); }
static void *new_one_aligned(size_t n, size_t align) { return allocate(n, align, RP_NEW); }
static void delete_one(void *p) { release(p, RP_NEW); }
static void delete_one_aligned(void *p, size_t align UNUSED) { release(p, RP_NEW); }
DEFAULT(NEW(w), new_one);
DEFAULT(ALIGNED(w), new_one_aligned);
DEFAULT(_ZdlPv, delete_one);
DEFAULT(_ZdlPvSt11align_val_t, delete_one_aligned);

static void *new_array(size_t n) { return NEW(w) == new_one ? allocate(n, 16, RP_NEW_ARRAY) : NEW(w)(n); }
static void *new_array_aligned(size_t n, size_t align) {
    return ALIGNED(w) == new_one_aligned ? allocate(n, align, RP_NEW_ARRAY) : ALIGNED(w)(n, align);
}
static void delete_array(void *p) { _ZdlPv == delete_one ? release(p, RP_NEW_ARRAY) : _ZdlPv(p); }
static void delete_array_aligned(void *p, size_t align) {
    _ZdlPvSt11align_val_t == delete_one_aligned ? release(p, RP_NEW_ARRAY) : _ZdlPvSt11align_val_t(p, align);
}
DEFAULT(NEW(a), new_array);
DEFAULT(ALIGNED(a), new_array_aligned);
DEFAULT(_ZdaPv, delete_array);
DEFAULT(_ZdaPvSt11align_val_t, delete_array_aligned);

/* Those that do not throw give a null pointer where the plain ones throw (cxx_noexcept.cpp catches it). */
MODEL void *NOTHROW(w)(size_t n, const void *tag UNUSED) { return __rp_new_nothrow(NEW(w), n); }
MODEL void *NOTHROW(a)(size_t n, const void *tag UNUSED) { return __rp_new_nothrow(NEW(a), n); }
MODEL void *ALIGNED_NOTHROW(w)(size_t n, size_t align, const void *tag UNUSED) {
    return __rp_new_aligned_nothrow(ALIGNED(w), n, align);
}
MODEL void *ALIGNED_NOTHROW(a)(size_t n, size_t align, const void *tag UNUSED) {
    return __rp_new_aligned_nothrow(ALIGNED(a), n, align);
}
/* deletes: l or a, as in _Zdl and _Zda. */
#define DELETES(deletes)                                                                                          \
    MODEL void SIZED_DELETE(deletes)(void *p, size_t n UNUSED) { _Zd##deletes##Pv(p); }                           \
    MODEL void SIZED_ALIGNED_DELETE(deletes)(void *p, size_t n UNUSED, size_t align) {                            \
        _Zd##deletes##PvSt11align_val_t(p, align);                                                                \
    }                                                                                                             \
    MODEL void _Zd##deletes##PvRKSt9nothrow_t(void *p, const void *tag UNUSED) { _Zd##deletes##Pv(p); }           \
    MODEL void _Zd##deletes##PvSt11align_val_tRKSt9nothrow_t(void *p, size_t align, const void *tag UNUSED) {     \
        _Zd##deletes##PvSt11align_val_t(p, align);                                                                \
    }
DELETES(l)
DELETES(a)
MODEL const char _ZSt7nothrow = 0;

/* ---- guards: the first byte is non-zero once the object is initialised; compiled code tests it with an acquire load ---- */

MODEL int __cxa_guard_acquire(uint64_t *guard) {
    if (__atomic_load_n((unsigned char *)guard, __ATOMIC_ACQUIRE) != 0) return 0;
    return __rp_once_enter(guard);
}
MODEL void __cxa_guard_release(uint64_t *guard) {
    __atomic_store_n((unsigned char *)guard, 1, __ATOMIC_RELEASE);
    __rp_once_leave(guard);
}
MODEL void __cxa_guard_abort(uint64_t *guard) { __rp_once_abandon(guard); }

/* ---- fatal calls ---- */

MODEL _Noreturn void __cxa_pure_virtual(void) { __rp_defect(RP_ABORT, "a pure virtual function was called"); }
MODEL _Noreturn void __cxa_deleted_virtual(void) { __rp_defect(RP_ABORT, "a deleted virtual function was called"); }
/* A terminate handler of the program's own is a normal function that must not return; the default aborts. */
/* The machine looks at it: an exception that nobody catches is reported where it is thrown, unless this is set. */
MODEL handler_t *__rp_terminate_handler;
MODEL handler_t *_ZSt13set_terminatePFvvE(handler_t *h) {
    return __atomic_exchange_n(&__rp_terminate_handler, h, __ATOMIC_SEQ_CST);
}
MODEL handler_t *_ZSt13get_terminatev(void) { return __atomic_load_n(&__rp_terminate_handler, __ATOMIC_SEQ_CST); }
MODEL _Noreturn void _ZSt9terminatev(void) {
    handler_t *h = __atomic_load_n(&__rp_terminate_handler, __ATOMIC_SEQ_CST);
    if (h != NULL) h();
    __rp_defect(RP_ABORT, "terminate called");
}
