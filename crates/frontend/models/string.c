/* string.c: the str* functions of string.h and strings.h (C11 7.24, POSIX, BSD, GNU), byte by byte. The locale is "C". */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#undef index
#undef rindex

static size_t length(const char *s) {
    size_t n = 0;
    while (s[n] != '\0') n++;
    return n;
}
static size_t bounded_length(const char *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n] != '\0') n++;
    return n;
}
static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }
static int contains(const char *set, char c) {
    for (; *set != '\0'; set++)
        if (*set == c) return 1;
    return 0;
}

MODEL size_t strlen(const char *s) { return length(s); }
MODEL size_t strnlen(const char *s, size_t max) { return bounded_length(s, max); }

/* ---- copying ---- */

/* C11 7.24.2.3: copying between overlapping objects is undefined. */
static void check_overlap(const char *to, size_t to_len, const char *from, size_t from_len, const char *message) {
    uintptr_t a = (uintptr_t)to, b = (uintptr_t)from;
    if (a < b + from_len && b < a + to_len) __rp_defect(RP_MISUSE, message);
}

static char *copy(char *to, const char *from, const char *message) {
    size_t n = length(from) + 1;
    check_overlap(to, n, from, n, message);
    __builtin_memcpy(to, from, n);
    return to + n - 1;
}
MODEL char *strcpy(char *restrict to, const char *restrict from) {
    copy(to, from, "strcpy between overlapping objects");
    return to;
}
MODEL char *stpcpy(char *restrict to, const char *restrict from) {
    return copy(to, from, "stpcpy between overlapping objects");
}
MODEL char *__stpcpy(char *restrict to, const char *restrict from) {
    return copy(to, from, "stpcpy between overlapping objects");
}
MODEL char *strcat(char *restrict to, const char *restrict from) {
    copy(to + length(to), from, "strcat between overlapping objects");
    return to;
}
/* Writes exactly n bytes: the string, then NULs (C11 7.24.2.4). */
static char *copy_padded(char *to, const char *from, size_t n) {
    size_t len = bounded_length(from, n);
    check_overlap(to, n, from, len, "strncpy between overlapping objects");
    __builtin_memcpy(to, from, len);
    __builtin_memset(to + len, 0, n - len);
    return to + len;
}
MODEL char *strncpy(char *restrict to, const char *restrict from, size_t n) {
    copy_padded(to, from, n);
    return to;
}
MODEL char *stpncpy(char *restrict to, const char *restrict from, size_t n) { return copy_padded(to, from, n); }
MODEL char *__stpncpy(char *restrict to, const char *restrict from, size_t n) { return copy_padded(to, from, n); }
MODEL char *strncat(char *restrict to, const char *restrict from, size_t n) {
    size_t len = bounded_length(from, n);
    char *end = to + length(to);
    check_overlap(end, len + 1, from, len, "strncat between overlapping objects");
    __builtin_memcpy(end, from, len);
    end[len] = '\0';
    return to;
}
MODEL size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
    size_t len = length(from);
    if (size > 0) {
        size_t n = len < size ? len : size - 1;
        __builtin_memcpy(to, from, n);
        to[n] = '\0';
    }
    return len;
}
MODEL size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
    size_t have = bounded_length(to, size), len = length(from);
    if (have < size) {
        size_t n = len < size - have ? len : size - have - 1;
        __builtin_memcpy(to + have, from, n);
        to[have + n] = '\0';
    }
    return have + len;
}
static char *duplicate(const char *s, size_t n) {
    char *p = __rp_try_alloc(n + 1, 16, 0);
    if (p == NULL) return NULL;
    __builtin_memcpy(p, s, n);
    p[n] = '\0';
    return p;
}
MODEL char *strdup(const char *s) { return duplicate(s, length(s)); }
MODEL char *__strdup(const char *s) { return duplicate(s, length(s)); }
MODEL char *strndup(const char *s, size_t n) { return duplicate(s, bounded_length(s, n)); }
MODEL char *__strndup(const char *s, size_t n) { return duplicate(s, bounded_length(s, n)); }

/* ---- comparing ---- */

static int compare(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        unsigned char x = a[i], y = b[i];
        if (x != y) return x - y;
        if (x == '\0') break;
    }
    return 0;
}
static int compare_nocase(const char *a, const char *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        int x = lower((unsigned char)a[i]), y = lower((unsigned char)b[i]);
        if (x != y) return x - y;
        if (x == '\0') break;
    }
    return 0;
}
MODEL int strcmp(const char *a, const char *b) { return compare(a, b, SIZE_MAX); }
MODEL int strncmp(const char *a, const char *b, size_t n) { return compare(a, b, n); }
MODEL int strcoll(const char *a, const char *b) {
    USES_LOCALE;
    return compare(a, b, SIZE_MAX);
}
MODEL int strcoll_l(const char *a, const char *b, locale_t l UNUSED) { return compare(a, b, SIZE_MAX); }
MODEL int strcasecmp(const char *a, const char *b) { return compare_nocase(a, b, SIZE_MAX); }
MODEL int strncasecmp(const char *a, const char *b, size_t n) { return compare_nocase(a, b, n); }
MODEL int strcasecmp_l(const char *a, const char *b, locale_t l UNUSED) { return compare_nocase(a, b, SIZE_MAX); }
MODEL int strncasecmp_l(const char *a, const char *b, size_t n, locale_t l UNUSED) { return compare_nocase(a, b, n); }

/* In the "C" locale the transformed string is the string itself (C11 7.24.4.5). */
static size_t transform(char *to, const char *from, size_t n) {
    size_t len = length(from);
    if (n > 0) copy_padded(to, from, len < n ? len + 1 : n);
    return len;
}
MODEL size_t strxfrm(char *restrict to, const char *restrict from, size_t n) {
    USES_LOCALE;
    return transform(to, from, n);
}
MODEL size_t strxfrm_l(char *restrict to, const char *restrict from, size_t n, locale_t l UNUSED) {
    return transform(to, from, n);
}
/* GNU: digit strings compare by value; leading zeros make a fraction-like part that sorts first. */
MODEL int strverscmp(const char *a, const char *b) {
    size_t i = 0, start = 0;
    for (; a[i] == b[i]; i++) {
        if (a[i] == '\0') return 0;
        if (a[i] < '0' || a[i] > '9') start = i + 1;
    }
    const char *x = a + start, *y = b + start; /* the digit sequences in which the strings differ, if any */
    size_t nx = 0, ny = 0;
    while (x[nx] >= '0' && x[nx] <= '9') nx++;
    while (y[ny] >= '0' && y[ny] <= '9') ny++;
    int plain = (unsigned char)a[i] - (unsigned char)b[i];
    if (nx == 0 || ny == 0) return plain;
    if (x[0] == '0' || y[0] == '0') {
        if (i == start) return plain;
        size_t zeros = 0;
        while (start + zeros < i && x[zeros] == '0') zeros++;
        if (start + zeros == i) { /* only zeros are common: the longer run of zeros is the smaller */
            int dx = a[i] >= '0' && a[i] <= '9', dy = b[i] >= '0' && b[i] <= '9';
            if (dx != dy) return dy - dx;
        }
        return plain;
    }
    return nx == ny ? plain : nx < ny ? -1 : 1;
}

/* ---- searching ---- */

static char *find(const char *s, int c) {
    for (;; s++) {
        if (*s == (char)c) return (char *)s;
        if (*s == '\0') return NULL;
    }
}
static char *find_last(const char *s, int c) {
    const char *last = NULL;
    for (;; s++) {
        if (*s == (char)c) last = s;
        if (*s == '\0') return (char *)last;
    }
}
MODEL char *strchr(const char *s, int c) { return find(s, c); }
MODEL char *index(const char *s, int c) { return find(s, c); }
MODEL char *strrchr(const char *s, int c) { return find_last(s, c); }
MODEL char *rindex(const char *s, int c) { return find_last(s, c); }
MODEL char *strchrnul(const char *s, int c) {
    while (*s != '\0' && *s != (char)c) s++;
    return (char *)s;
}

static size_t span(const char *s, const char *set, int want) {
    size_t n = 0;
    while (s[n] != '\0' && contains(set, s[n]) == want) n++;
    return n;
}
MODEL size_t strspn(const char *s, const char *accept) { return span(s, accept, 1); }
MODEL size_t strcspn(const char *s, const char *reject) { return span(s, reject, 0); }
MODEL char *strpbrk(const char *s, const char *accept) {
    s += span(s, accept, 0);
    return *s == '\0' ? NULL : (char *)s;
}
MODEL char *strstr(const char *hay, const char *needle) {
    size_t n = length(needle);
    for (;; hay++) {
        if (compare(hay, needle, n) == 0) return (char *)hay;
        if (*hay == '\0') return NULL;
    }
}
MODEL char *strcasestr(const char *hay, const char *needle) {
    size_t n = length(needle);
    for (;; hay++) {
        if (compare_nocase(hay, needle, n) == 0) return (char *)hay;
        if (*hay == '\0') return NULL;
    }
}

/* ---- splitting ---- */

static char *next_token(char *s, const char *separators, char **rest) {
    if (s == NULL) s = *rest;
    if (s == NULL) return NULL;
    s += span(s, separators, 1);
    if (*s == '\0') {
        *rest = s;
        return NULL;
    }
    char *end = s + span(s, separators, 0);
    *rest = end;
    if (*end != '\0') {
        *end = '\0';
        *rest = end + 1;
    }
    return s;
}
MODEL char *strtok_r(char *restrict s, const char *restrict separators, char **restrict rest) {
    return next_token(s, separators, rest);
}
MODEL char *__strtok_r(char *restrict s, const char *restrict separators, char **restrict rest) {
    return next_token(s, separators, rest);
}
/* C11 7.24.5.8: strtok need not avoid data races; its state is one static pointer. */
MODEL char *strtok(char *restrict s, const char *restrict separators) {
    static char *rest;
    return next_token(s, separators, &rest);
}
MODEL char *strsep(char **restrict s, const char *restrict separators) {
    char *start = *s;
    if (start == NULL) return NULL;
    char *end = start + span(start, separators, 0);
    *s = NULL;
    if (*end != '\0') {
        *end = '\0';
        *s = end + 1;
    }
    return start;
}
MODEL char *basename(const char *path) { /* the GNU version: what follows the last slash */
    char *slash = find_last(path, '/');
    return slash == NULL ? (char *)path : slash + 1;
}
