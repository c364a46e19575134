/* alloc.c: the malloc family (C11 7.22.3, POSIX posix_memalign, and the BSD/GNU relatives).
 *
 * Allocation never fails for want of memory; it fails where the request itself cannot be met (an overflowing product,
 * a size beyond PTRDIFF_MAX, a bad alignment), with errno as POSIX says. */
#include "rp.h"
#include <errno.h>

enum { DEFAULT_ALIGN = 2 * sizeof(void *) > 16 ? 2 * sizeof(void *) : 16 };

static void *allocate(size_t size, size_t align, int zeroed) {
    if (size > PTRDIFF_MAX) {
        errno = ENOMEM;
        return NULL;
    }
    return __rp_alloc(size, align, zeroed, RP_MALLOC);
}

static int is_power_of_two(size_t n) { return n != 0 && (n & (n - 1)) == 0; }

MODEL void *malloc(size_t size) { return allocate(size, DEFAULT_ALIGN, 0); }

MODEL void *calloc(size_t count, size_t size) {
    size_t total;
    if (__builtin_mul_overflow(count, size, &total)) {
        errno = ENOMEM;
        return NULL;
    }
    return allocate(total, DEFAULT_ALIGN, 1);
}

MODEL void free(void *p) {
    if (p != NULL) __rp_dealloc(p, RP_MALLOC);
}
MODEL void cfree(void *p) {
    if (p != NULL) __rp_dealloc(p, RP_MALLOC);
}

/* The object always moves: a program that keeps the old pointer is wrong whether or not it moved (C11 7.22.3.5). */
MODEL void *realloc(void *p, size_t size) {
    if (p == NULL) return allocate(size, DEFAULT_ALIGN, 0);
    if (size == 0) { /* glibc frees the object and returns a null pointer */
        __rp_dealloc(p, RP_MALLOC);
        return NULL;
    }
    void *fresh = allocate(size, DEFAULT_ALIGN, 0);
    if (fresh == NULL) return NULL;
    size_t old = __rp_usable_size(p);
    size_t keep = old < size ? old : size;
    __builtin_memcpy(fresh, p, keep);
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
    return allocate(size, align < DEFAULT_ALIGN ? DEFAULT_ALIGN : align, 0);
}

/* C11 7.22.3.1 as corrected by DR 460: the size need not be a multiple of the alignment. */
MODEL void *aligned_alloc(size_t align, size_t size) { return memalign(align, size); }

MODEL int posix_memalign(void **out, size_t align, size_t size) {
    if (!is_power_of_two(align) || align % sizeof(void *) != 0) return EINVAL;
    if (size > PTRDIFF_MAX) return ENOMEM;
    *out = __rp_alloc(size, align < DEFAULT_ALIGN ? DEFAULT_ALIGN : align, 0, RP_MALLOC);
    return 0;
}

MODEL void *valloc(size_t size) { return allocate(size, 4096, 0); }
MODEL void *pvalloc(size_t size) { return allocate((size + 4095) / 4096 * 4096, 4096, 0); }
MODEL size_t malloc_usable_size(void *p) { return p == NULL ? 0 : __rp_usable_size(p); }
MODEL int malloc_trim(size_t pad UNUSED) { return 0; }
MODEL int mallopt(int parameter UNUSED, int value UNUSED) { return 1; }
