/* stdlib.c: integer arithmetic, sorting and searching (C11 7.22.5, 7.22.6, 7.8.2). */
#define _GNU_SOURCE
#include "rp.h"
#include <inttypes.h>
#include <stdlib.h>
#undef abs
#undef labs
#undef llabs
#undef imaxabs

/* abs of the most negative number is undefined (C11 7.22.6.1 p2): the subtraction then overflows, as in user code. No
 * branch, so that the value steers nothing. */
#define ABSOLUTE(name, type)                              \
    MODEL type name(type v) {                             \
        type sign = v >> (sizeof(type) * 8 - 1);          \
        return (v ^ sign) - sign;                         \
    }
ABSOLUTE(abs, int)
ABSOLUTE(labs, long)
ABSOLUTE(llabs, long long)
ABSOLUTE(imaxabs, intmax_t)

MODEL div_t div(int a, int b) { return (div_t){a / b, a % b}; }
MODEL ldiv_t ldiv(long a, long b) { return (ldiv_t){a / b, a % b}; }
MODEL lldiv_t lldiv(long long a, long long b) { return (lldiv_t){a / b, a % b}; }
MODEL imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return (imaxdiv_t){a / b, a % b}; }

/* ---- sorting: a merge sort, stable as glibc's own is when memory suffices; every element is read and written ---- */

typedef int compare_t(const void *, const void *, void *);

static void merge_sort(char *base, size_t n, size_t size, compare_t *compare, void *arg, char *spare) {
    if (n < 2) return;
    size_t half = n / 2;
    merge_sort(base, half, size, compare, arg, spare);
    merge_sort(base + half * size, n - half, size, compare, arg, spare);
    char *left = base, *right = base + half * size, *out = spare;
    char *left_end = right, *right_end = base + n * size;
    while (left < left_end && right < right_end) {
        char **from = compare(left, right, arg) <= 0 ? &left : &right;
        __builtin_memcpy(out, *from, size);
        *from += size;
        out += size;
    }
    __builtin_memcpy(out, left, (size_t)(left_end - left));
    out += left_end - left;
    __builtin_memcpy(base, spare, (size_t)(out - spare)); /* what is left of the right half is in place already */
}

MODEL void qsort_r(void *base, size_t n, size_t size, compare_t *compare, void *arg) {
    if (n < 2 || size == 0) return;
    char *spare = __rp_alloc(n * size, 16, 0, RP_MALLOC);
    merge_sort(base, n, size, compare, arg, spare);
    __rp_dealloc(spare, RP_MALLOC);
}
struct plain_compare {
    int (*compare)(const void *, const void *);
};
static int call_plain(const void *a, const void *b, void *arg) {
    return ((struct plain_compare *)arg)->compare(a, b);
}
MODEL void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *)) {
    struct plain_compare plain = {compare};
    if (n < 2 || size == 0) return;
    char *spare = __rp_alloc(n * size, 16, 0, RP_MALLOC);
    merge_sort(base, n, size, call_plain, &plain, spare);
    __rp_dealloc(spare, RP_MALLOC);
}

MODEL void *bsearch(const void *key, const void *base, size_t n, size_t size,
                    int (*compare)(const void *, const void *)) {
    const char *low = base;
    while (n > 0) {
        const char *middle = low + n / 2 * size;
        int order = compare(key, middle);
        if (order == 0) return (void *)middle;
        if (order > 0) {
            low = middle + size;
            n -= n / 2 + 1;
        } else {
            n /= 2;
        }
    }
    return NULL;
}

/* lfind and lsearch (POSIX search.h). */
MODEL void *lfind(const void *key, const void *base, size_t *n, size_t size,
                  int (*compare)(const void *, const void *)) {
    for (size_t i = 0; i < *n; i++) {
        const char *element = (const char *)base + i * size;
        if (compare(key, element) == 0) return (void *)element;
    }
    return NULL;
}
MODEL void *lsearch(const void *key, void *base, size_t *n, size_t size, int (*compare)(const void *, const void *)) {
    for (size_t i = 0; i < *n; i++) {
        char *element = (char *)base + i * size;
        if (compare(key, element) == 0) return element;
    }
    char *end = (char *)base + *n * size;
    __builtin_memcpy(end, key, size);
    *n += 1;
    return end;
}
