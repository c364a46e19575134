/* alloc.c: the malloc family (C11 7.22.3, POSIX posix_memalign, and the BSD/GNU relatives).
 *
 * Allocation fails where the request itself cannot be met (an overflowing product, a size beyond PTRDIFF_MAX or beyond the
 * address space, a bad alignment), with errno as POSIX says; for want of memory only with --allocation may-fail. */
#include "rp.h"
#include <errno.h>

enum { DEFAULT_ALIGN = 2 * sizeof(void *) > 16 ? 2 * sizeof(void *) : 16 };

MODEL int __rp_fails(void) { return __rp_allocation_may_fail() && __rp_choose(0, 1); }

MODEL void *__rp_try_alloc(size_t size, size_t align, int zeroed) {
    void *p = size > PTRDIFF_MAX || __rp_fails() ? NULL : __rp_alloc(size, align, zeroed, RP_MALLOC);
    if (p == NULL) errno = ENOMEM;
    return p;
}

static int is_power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

MODEL void *malloc(size_t size) { return __rp_try_alloc(size, DEFAULT_ALIGN, 0); }

MODEL void *calloc(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return __rp_try_alloc(total, DEFAULT_ALIGN, 1);
}

MODEL void free(void *p) {
    if (p != NULL) __rp_dealloc(p, RP_MALLOC);
}
MODEL void cfree(void *p) {
    if (p != NULL) __rp_dealloc(p, RP_MALLOC);
}

/* The object always moves: a program that keeps the old pointer is wrong whether or not it moved (C11 7.22.3.5). */
MODEL void *realloc(void *p, size_t size) {
    if (p == NULL) return __rp_try_alloc(size, DEFAULT_ALIGN, 0);
    if (size == 0) { /* glibc frees the object and returns a null pointer */
        __rp_dealloc(p, RP_MALLOC);
        return NULL;
    }
    void *fresh = __rp_try_alloc(size, DEFAULT_ALIGN, 0);
    if (fresh == NULL) return NULL;
    size_t old = __rp_usable_size(p);
    size_t keep = old < size ? old : size;
    __rp_copy_object(fresh, p, keep);
    __rp_dealloc(p, RP_MALLOC);
    return fresh;
}

MODEL void *reallocarray(void *p, size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(p, total);
}

MODEL void *memalign(size_t align, size_t size) {
    if (!is_power_of_two(align)) {
        errno = EINVAL;
        return NULL;
    }
    return __rp_try_alloc(size, align < DEFAULT_ALIGN ? DEFAULT_ALIGN : align, 0);
}

/* C11 7.22.3.1 as corrected by DR 460: the size need not be a multiple of the alignment. */
MODEL void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }

MODEL int posix_memalign(void **out, size_t align, size_t size) {
    if (!is_power_of_two(align) || align % sizeof(void *) != 0) return EINVAL;
    int before = errno;
    void *p = __rp_try_alloc(size, align < DEFAULT_ALIGN ? DEFAULT_ALIGN : align, 0);
    errno = before;
    if (p == NULL) return ENOMEM;
    *out = p;
    return 0;
}

MODEL void *valloc(size_t size) { return __rp_try_alloc(size, 4096, 0); }
MODEL void *pvalloc(size_t size) { return __rp_try_alloc((size + 4095) / 4096 * 4096, 4096, 0); }
MODEL size_t malloc_usable_size(void *p) { return p == NULL ? 0 : __rp_usable_size(p); }
MODEL int malloc_trim(size_t pad UNUSED) { return 0; }
MODEL int mallopt(int parameter UNUSED, int value UNUSED) { return 1; }
