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

static void *allocate(size_t size, size_t align, int family) {
    if (size > PTRDIFF_MAX) _ZSt17__throw_bad_allocv();
    return __rp_alloc(size, align, 0, family);
}
static void *try_allocate(size_t size, size_t align, int family) {
    return size > PTRDIFF_MAX ? NULL : __rp_alloc(size, align, 0, family);
}
static void release(void *p, int family) {
    if (p != NULL) __rp_dealloc(p, family);
}

/* name: w or a, as in _Znw and _Zna; deletes: l or a, as in _Zdl and _Zda. */
#define FAMILY(name, deletes, family)                                                                             \
    MODEL void *NEW(name)(size_t n) { return allocate(n, 16, family); }                                           \
    MODEL void *ALIGNED(name)(size_t n, size_t align) { return allocate(n, align, family); }                      \
    MODEL void *NOTHROW(name)(size_t n, const void *tag UNUSED) { return try_allocate(n, 16, family); }           \
    MODEL void *ALIGNED_NOTHROW(name)(size_t n, size_t align, const void *tag UNUSED) {                           \
        return try_allocate(n, align, family);                                                                    \
    }                                                                                                             \
    MODEL void _Zd##deletes##Pv(void *p) { release(p, family); }                                                  \
    MODEL void SIZED_DELETE(deletes)(void *p, size_t n UNUSED) { release(p, family); }                            \
    MODEL void _Zd##deletes##PvSt11align_val_t(void *p, size_t align UNUSED) { release(p, family); }              \
    MODEL void SIZED_ALIGNED_DELETE(deletes)(void *p, size_t n UNUSED, size_t align UNUSED) { release(p, family); } \
    MODEL void _Zd##deletes##PvRKSt9nothrow_t(void *p, const void *tag UNUSED) { release(p, family); }            \
    MODEL void _Zd##deletes##PvSt11align_val_tRKSt9nothrow_t(void *p, size_t align UNUSED, const void *tag UNUSED) { \
        release(p, family);                                                                                       \
    }
FAMILY(w, l, RP_NEW)
FAMILY(a, a, RP_NEW_ARRAY)
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
typedef void handler_t(void);
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
