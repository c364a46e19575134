/* atomic.c: what a compiler calls when it does not expand an atomic operation in place: the libatomic functions
 * (__atomic_*, with and without a size suffix) and the out-of-line __sync_*_16. Sizes 1 to 8 are real atomic instructions with
 * the order that the caller asked for; other sizes are such instructions for their parts, in a section that nobody else comes
 * into and that orders nobody by itself. C11 7.17.8 flags and fences, which
 * <stdatomic.h> also declares as functions, are here as well. */
#include "rp.h"
#include <stdatomic.h>

typedef unsigned char u1;
typedef unsigned short u2;
typedef unsigned int u4;
typedef unsigned long long u8 __attribute__((aligned(8))); /* on i386 the plain type is aligned to 4 only */

/* Performs `operation(order)` with the order as a constant, since the machine reads it from the instruction. */
#define BY_LOAD_ORDER(order, operation)                      \
    switch (order) {                                         \
    case __ATOMIC_RELAXED: operation(__ATOMIC_RELAXED);      \
    case __ATOMIC_CONSUME:                                   \
    case __ATOMIC_ACQUIRE: operation(__ATOMIC_ACQUIRE);      \
    default: operation(__ATOMIC_SEQ_CST);                    \
    }
#define BY_STORE_ORDER(order, operation)                     \
    switch (order) {                                         \
    case __ATOMIC_RELAXED: operation(__ATOMIC_RELAXED);      \
    case __ATOMIC_RELEASE: operation(__ATOMIC_RELEASE);      \
    default: operation(__ATOMIC_SEQ_CST);                    \
    }
#define BY_ORDER(order, operation)                           \
    switch (order) {                                         \
    case __ATOMIC_RELAXED: operation(__ATOMIC_RELAXED);      \
    case __ATOMIC_CONSUME:                                   \
    case __ATOMIC_ACQUIRE: operation(__ATOMIC_ACQUIRE);      \
    case __ATOMIC_RELEASE: operation(__ATOMIC_RELEASE);      \
    case __ATOMIC_ACQ_REL: operation(__ATOMIC_ACQ_REL);      \
    default: operation(__ATOMIC_SEQ_CST);                    \
    }

#define LOAD(order) return __atomic_load_n(a, order)
#define STORE(order)                   \
    do {                               \
        __atomic_store_n(a, v, order); \
        return;                        \
    } while (0)
#define EXCHANGE(order) return __atomic_exchange_n(a, v, order)
#define COMPARE_RELAXED(order) return __atomic_compare_exchange_n(a, expected, v, 0, order, __ATOMIC_RELAXED)
#define COMPARE_ACQUIRE(order) return __atomic_compare_exchange_n(a, expected, v, 0, order, __ATOMIC_ACQUIRE)
#define COMPARE_SEQ_CST(order) return __atomic_compare_exchange_n(a, expected, v, 0, order, __ATOMIC_SEQ_CST)

#define SIZED(n)                                                                                               \
    u##n rp_load_##n(const void *, int) __asm__("__atomic_load_" #n);                                          \
    MODEL u##n rp_load_##n(const void *p, int order) {                                                         \
        const u##n *a = p;                                                                                     \
        BY_LOAD_ORDER(order, LOAD)                                                                             \
    }                                                                                                          \
    void rp_store_##n(void *, u##n, int) __asm__("__atomic_store_" #n);                                        \
    MODEL void rp_store_##n(void *p, u##n v, int order) {                                                      \
        u##n *a = p;                                                                                           \
        BY_STORE_ORDER(order, STORE)                                                                           \
    }                                                                                                          \
    u##n rp_exchange_##n(void *, u##n, int) __asm__("__atomic_exchange_" #n);                                  \
    MODEL u##n rp_exchange_##n(void *p, u##n v, int order) {                                                   \
        u##n *a = p;                                                                                           \
        BY_ORDER(order, EXCHANGE)                                                                              \
    }                                                                                                          \
    int rp_compare_##n(void *, void *, u##n, int, int) __asm__("__atomic_compare_exchange_" #n);               \
    MODEL int rp_compare_##n(void *p, void *e, u##n v, int order, int failure) {                               \
        u##n *a = p, *expected = e;                                                                            \
        switch (failure) {                                                                                     \
        case __ATOMIC_RELAXED: BY_ORDER(order, COMPARE_RELAXED)                                                \
        case __ATOMIC_CONSUME:                                                                                 \
        case __ATOMIC_ACQUIRE: BY_ORDER(order, COMPARE_ACQUIRE)                                                \
        default: BY_ORDER(order, COMPARE_SEQ_CST)                                                              \
        }                                                                                                      \
    }                                                                                                          \
    FETCH(n, fetch_add) FETCH(n, fetch_sub) FETCH(n, fetch_and) FETCH(n, fetch_or) FETCH(n, fetch_xor)         \
    FETCH(n, fetch_nand) FETCH(n, add_fetch) FETCH(n, sub_fetch) FETCH(n, and_fetch) FETCH(n, or_fetch)        \
    FETCH(n, xor_fetch) FETCH(n, nand_fetch)
#define FETCH(n, what)                                                                  \
    u##n rp_##what##_##n(void *, u##n, int) __asm__("__atomic_" #what "_" #n);          \
    MODEL u##n rp_##what##_##n(void *p, u##n v, int order) {                            \
        u##n *a = p;                                                                    \
        if (order == __ATOMIC_RELAXED) return __atomic_##what(a, v, __ATOMIC_RELAXED);  \
        if (order == __ATOMIC_RELEASE) return __atomic_##what(a, v, __ATOMIC_RELEASE);  \
        if (order == __ATOMIC_ACQ_REL) return __atomic_##what(a, v, __ATOMIC_ACQ_REL);  \
        if (order == __ATOMIC_ACQUIRE || order == __ATOMIC_CONSUME)                     \
            return __atomic_##what(a, v, __ATOMIC_ACQUIRE);                             \
        return __atomic_##what(a, v, __ATOMIC_SEQ_CST);                                 \
    }
SIZED(1)
SIZED(2)
SIZED(4)
SIZED(8)

/* ---- any size ---- */

static int same(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) return 0;
    return 1;
}
static int aligned(const void *p, size_t n) { return (uintptr_t)p % n == 0; }

/* One atomic operation made of those of the object's parts: words where it is aligned, bytes else. Within a section. */
static size_t words(const void *p, size_t n) { return aligned(p, 8) ? n / 8 * 8 : 0; }
static void load_parts(void *out, const void *p, size_t n, int order) {
    size_t i = 0;
    for (; i < words(p, n); i += 8) {
        u8 v = rp_load_8((const char *)p + i, order);
        __builtin_memcpy((char *)out + i, &v, 8);
    }
    for (; i < n; i++) ((u1 *)out)[i] = rp_load_1((const char *)p + i, order);
}
static void store_parts(void *p, const void *in, size_t n, int order) {
    size_t i = 0;
    for (; i < words(p, n); i += 8) {
        u8 v;
        __builtin_memcpy(&v, (const char *)in + i, 8);
        rp_store_8((char *)p + i, v, order);
    }
    for (; i < n; i++) rp_store_1((char *)p + i, ((const u1 *)in)[i], order);
}
static void exchange_parts(void *p, const void *in, void *out, size_t n, int order) {
    size_t i = 0;
    for (; i < words(p, n); i += 8) {
        u8 v;
        __builtin_memcpy(&v, (const char *)in + i, 8);
        v = rp_exchange_8((char *)p + i, v, order);
        __builtin_memcpy((char *)out + i, &v, 8);
    }
    for (; i < n; i++) ((u1 *)out)[i] = rp_exchange_1((char *)p + i, ((const u1 *)in)[i], order);
}
/* What is compared is loaded relaxed: the operation's own order comes with what follows. */
static int compare_parts(void *p, void *expected, const void *desired, size_t n, int order, int failure) {
    char old[n];
    load_parts(old, p, n, __ATOMIC_RELAXED);
    int equal = same(old, expected, n);
    if (equal) exchange_parts(p, desired, old, n, order);
    else load_parts(expected, p, n, failure);
    return equal;
}

void rp_load(size_t, const void *, void *, int) __asm__("__atomic_load");
MODEL void rp_load(size_t n, const void *p, void *out, int order) {
    if (n == 1) *(u1 *)out = rp_load_1(p, order);
    else if (n == 2 && aligned(p, 2)) *(u2 *)out = rp_load_2(p, order);
    else if (n == 4 && aligned(p, 4)) *(u4 *)out = rp_load_4(p, order);
    else if (n == 8 && aligned(p, 8)) *(u8 *)out = rp_load_8(p, order);
    else {
        __rp_section_begin();
        load_parts(out, p, n, order);
        __rp_section_end();
    }
}
void rp_store(size_t, void *, const void *, int) __asm__("__atomic_store");
MODEL void rp_store(size_t n, void *p, const void *in, int order) {
    if (n == 1) rp_store_1(p, *(const u1 *)in, order);
    else if (n == 2 && aligned(p, 2)) rp_store_2(p, *(const u2 *)in, order);
    else if (n == 4 && aligned(p, 4)) rp_store_4(p, *(const u4 *)in, order);
    else if (n == 8 && aligned(p, 8)) rp_store_8(p, *(const u8 *)in, order);
    else {
        __rp_section_begin();
        store_parts(p, in, n, order);
        __rp_section_end();
    }
}
void rp_exchange(size_t, void *, const void *, void *, int) __asm__("__atomic_exchange");
MODEL void rp_exchange(size_t n, void *p, const void *in, void *out, int order) {
    if (n == 1) *(u1 *)out = rp_exchange_1(p, *(const u1 *)in, order);
    else if (n == 2 && aligned(p, 2)) *(u2 *)out = rp_exchange_2(p, *(const u2 *)in, order);
    else if (n == 4 && aligned(p, 4)) *(u4 *)out = rp_exchange_4(p, *(const u4 *)in, order);
    else if (n == 8 && aligned(p, 8)) *(u8 *)out = rp_exchange_8(p, *(const u8 *)in, order);
    else {
        __rp_section_begin();
        exchange_parts(p, in, out, n, order);
        __rp_section_end();
    }
}
int rp_compare(size_t, void *, void *, const void *, int, int) __asm__("__atomic_compare_exchange");
MODEL int rp_compare(size_t n, void *p, void *expected, const void *desired, int order, int failure) {
    if (n == 1) return rp_compare_1(p, expected, *(const u1 *)desired, order, failure);
    if (n == 2 && aligned(p, 2)) return rp_compare_2(p, expected, *(const u2 *)desired, order, failure);
    if (n == 4 && aligned(p, 4)) return rp_compare_4(p, expected, *(const u4 *)desired, order, failure);
    if (n == 8 && aligned(p, 8)) return rp_compare_8(p, expected, *(const u8 *)desired, order, failure);
    __rp_section_begin();
    int equal = compare_parts(p, expected, desired, n, order, failure);
    __rp_section_end();
    return equal;
}
/* An update that clang makes of a load and a compare-exchange of its own (`omp atomic`, `_Atomic` +=): one section. */
void rp_update_begin(size_t, const void *, void *, int) __asm__("__rp_update_begin");
MODEL void rp_update_begin(size_t n, const void *p, void *out, int order UNUSED) {
    __rp_section_begin();
    load_parts(out, p, n, __ATOMIC_RELAXED);
}
_Bool rp_update_end(size_t, void *, void *, const void *, int, int) __asm__("__rp_update_end");
MODEL _Bool rp_update_end(size_t n, void *p, void *expected UNUSED, const void *desired, int order,
                          int failure UNUSED) {
    char old[n];
    exchange_parts(p, desired, old, n, order);
    __rp_section_end();
    return 1;
}
_Bool rp_is_lock_free(size_t, const volatile void *) __asm__("__atomic_is_lock_free");
MODEL _Bool rp_is_lock_free(size_t n, const volatile void *p UNUSED) { return n == 1 || n == 2 || n == 4 || n == 8; }

#ifdef __SIZEOF_INT128__
typedef unsigned __int128 u16;
u16 rp_load_16(const void *, int) __asm__("__atomic_load_16");
MODEL u16 rp_load_16(const void *p, int order) {
    u16 v;
    rp_load(16, p, &v, order);
    return v;
}
void rp_store_16(void *, u16, int) __asm__("__atomic_store_16");
MODEL void rp_store_16(void *p, u16 v, int order) { rp_store(16, p, &v, order); }
u16 rp_exchange_16(void *, u16, int) __asm__("__atomic_exchange_16");
MODEL u16 rp_exchange_16(void *p, u16 v, int order) {
    u16 old;
    rp_exchange(16, p, &v, &old, order);
    return old;
}
int rp_compare_16(void *, void *, u16, int, int) __asm__("__atomic_compare_exchange_16");
MODEL int rp_compare_16(void *p, void *expected, u16 v, int order, int failure) {
    return rp_compare(16, p, expected, &v, order, failure);
}
#define FETCH_16(name, operation)                                              \
    u16 rp_##name##_16(void *, u16, int) __asm__("__atomic_" #name "_16");     \
    MODEL u16 rp_##name##_16(void *p, u16 v, int order) {                      \
        u16 old, new;                                                          \
        __rp_section_begin();                                                  \
        load_parts(&old, p, 16, __ATOMIC_RELAXED);                             \
        new = operation;                                                       \
        exchange_parts(p, &new, &old, 16, order);                              \
        __rp_section_end();                                                    \
        return old;                                                            \
    }
FETCH_16(fetch_add, old + v)
FETCH_16(fetch_sub, old - v)
FETCH_16(fetch_and, old & v)
FETCH_16(fetch_or, old | v)
FETCH_16(fetch_xor, old ^ v)
u16 rp_sync_val_16(void *, u16, u16) __asm__("__sync_val_compare_and_swap_16");
MODEL u16 rp_sync_val_16(void *p, u16 expected, u16 v) {
    rp_compare(16, p, &expected, &v, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    return expected;
}
#endif

/* ---- flags and fences as functions ---- */
#undef atomic_thread_fence
#undef atomic_signal_fence
#undef atomic_flag_test_and_set
#undef atomic_flag_test_and_set_explicit
#undef atomic_flag_clear
#undef atomic_flag_clear_explicit
#define FENCE(order)                  \
    do {                              \
        __atomic_thread_fence(order); \
        return;                       \
    } while (0)
MODEL void atomic_thread_fence(memory_order order) {
    switch (order) {
    case memory_order_relaxed: return;
    case memory_order_consume:
    case memory_order_acquire: FENCE(__ATOMIC_ACQUIRE);
    case memory_order_release: FENCE(__ATOMIC_RELEASE);
    case memory_order_acq_rel: FENCE(__ATOMIC_ACQ_REL);
    default: FENCE(__ATOMIC_SEQ_CST);
    }
}
MODEL void atomic_signal_fence(memory_order order UNUSED) {}
MODEL _Bool atomic_flag_test_and_set_explicit(volatile atomic_flag *flag, memory_order order) {
    return rp_exchange_1((void *)flag, 1, order) != 0;
}
MODEL _Bool atomic_flag_test_and_set(volatile atomic_flag *flag) { return rp_exchange_1((void *)flag, 1, 5) != 0; }
MODEL void atomic_flag_clear_explicit(volatile atomic_flag *flag, memory_order order) {
    rp_store_1((void *)flag, 0, order);
}
MODEL void atomic_flag_clear(volatile atomic_flag *flag) { rp_store_1((void *)flag, 0, 5); }
