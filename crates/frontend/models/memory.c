/* memory.c: the mem* half of string.h and strings.h (C11 7.24, POSIX, GNU). Copies are llvm.memcpy intrinsics, which the
 * machine executes itself as accesses to all their bytes. */
#define _GNU_SOURCE
#include "rp.h"
#include <string.h>
#include <strings.h>
#undef bcmp
#undef bcopy
#undef bzero

/* C11 7.24.2.1: copying between overlapping objects is undefined. Copying an object onto itself is left alone: compilers
 * themselves emit such calls for assignments. */
static void check_overlap(const char *to, const char *from, size_t n, const char *message) {
    uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    if (a != b && (a < b ? b - a : a - b) < n) __rp_defect(RP_MISUSE, message);
}

MODEL void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    check_overlap(to, from, n, "memcpy between overlapping objects");
    __builtin_memcpy(to, from, n);
    return to;
}
MODEL void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
    check_overlap(to, from, n, "mempcpy between overlapping objects");
    __builtin_memcpy(to, from, n);
    return (char *)to + n;
}
MODEL void *__mempcpy(void *restrict to, const void *restrict from, size_t n) {
    check_overlap(to, from, n, "mempcpy between overlapping objects");
    __builtin_memcpy(to, from, n);
    return (char *)to + n;
}
MODEL void *memmove(void *to, const void *from, size_t n) {
    __builtin_memmove(to, from, n);
    return to;
}
MODEL void *memset(void *to, int c, size_t n) {
    __builtin_memset(to, c, n);
    return to;
}
MODEL void *explicit_memset(void *to, int c, size_t n) {
    __builtin_memset(to, c, n);
    return to;
}
MODEL void explicit_bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }
MODEL void bzero(void *to, size_t n) { __builtin_memset(to, 0, n); }
MODEL void bcopy(const void *from, void *to, size_t n) { __builtin_memmove(to, from, n); }

/* All n characters are looked at, wherever the first difference is: they must be there (C11 7.24.1 p2). */
static int compare(const void *left, const void *right, size_t n) {
    const unsigned char *a = left, *b = right;
    int difference = 0;
    for (size_t i = 0; i < n; i++) difference |= (a[i] - b[i]) & -(difference == 0);
    return difference;
}
MODEL int memcmp(const void *a, const void *b, size_t n) { return compare(a, b, n); }
MODEL int bcmp(const void *a, const void *b, size_t n) { return compare(a, b, n); }

MODEL void *memchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    for (size_t i = 0; i < n; i++)
        if (p[i] == (unsigned char)c) return (void *)(p + i);
    return NULL;
}
MODEL void *rawmemchr(const void *s, int c) {
    const unsigned char *p = s;
    while (*p != (unsigned char)c) p++;
    return (void *)p;
}
MODEL void *memrchr(const void *s, int c, size_t n) {
    const unsigned char *p = s;
    while (n-- > 0)
        if (p[n] == (unsigned char)c) return (void *)(p + n);
    return NULL;
}
MODEL void *memccpy(void *restrict to, const void *restrict from, int c, size_t n) {
    unsigned char *d = to;
    const unsigned char *s = from;
    for (size_t i = 0; i < n; i++)
        if ((d[i] = s[i]) == (unsigned char)c) return d + i + 1;
    return NULL;
}
MODEL void *memmem(const void *hay, size_t hay_len, const void *needle, size_t needle_len) {
    const char *h = hay;
    if (needle_len > hay_len) return NULL;
    for (size_t i = 0; i + needle_len <= hay_len; i++)
        if (compare(h + i, needle, needle_len) == 0) return (void *)(h + i);
    return NULL;
}
MODEL void *memfrob(void *s, size_t n) {
    unsigned char *p = s;
    for (size_t i = 0; i < n; i++) p[i] ^= 42;
    return s;
}
MODEL void swab(const void *restrict from, void *restrict to, ptrdiff_t n) {
    const char *s = from;
    char *d = to;
    for (ptrdiff_t i = 0; i + 1 < n; i += 2) {
        char first = s[i], second = s[i + 1];
        d[i] = second;
        d[i + 1] = first;
    }
}

#undef ffs
#undef ffsl
#undef ffsll
MODEL int ffs(int v) { return __builtin_ffs(v); }
MODEL int ffsl(long v) { return __builtin_ffsl(v); }
MODEL int ffsll(long long v) { return __builtin_ffsll(v); }
