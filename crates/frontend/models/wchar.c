/* wchar.c: wide strings and multibyte conversion (C11 7.29, 7.30, 7.22.7, 7.22.8) in the "C" locale, where a character
 * is one byte and only ASCII has a wide counterpart. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>
#include <wctype.h>

static size_t length(const wchar_t *s) {
    size_t n = 0;
    while (s[n] != 0) n++;
    return n;
}
MODEL size_t wcslen(const wchar_t *s) { return length(s); }
MODEL size_t wcsnlen(const wchar_t *s, size_t max) {
    size_t n = 0;
    while (n < max && s[n] != 0) n++;
    return n;
}
MODEL wchar_t *wmemcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
    __builtin_memcpy(to, from, n * sizeof *to);
    return to;
}
MODEL wchar_t *wmempcpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
    __builtin_memcpy(to, from, n * sizeof *to);
    return to + n;
}
MODEL wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
    __builtin_memmove(to, from, n * sizeof *to);
    return to;
}
MODEL wchar_t *wmemset(wchar_t *to, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = c;
    return to;
}
MODEL int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
    int order = 0;
    for (size_t i = 0; i < n; i++) order |= ((a[i] > b[i]) - (a[i] < b[i])) & -(order == 0);
    return order;
}
MODEL wchar_t *wmemchr(const wchar_t *s, wchar_t c, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (s[i] == c) return (wchar_t *)(s + i);
    return NULL;
}
MODEL wchar_t *wcscpy(wchar_t *restrict to, const wchar_t *restrict from) {
    __builtin_memcpy(to, from, (length(from) + 1) * sizeof *to);
    return to;
}
MODEL wchar_t *wcpcpy(wchar_t *restrict to, const wchar_t *restrict from) {
    size_t n = length(from);
    __builtin_memcpy(to, from, (n + 1) * sizeof *to);
    return to + n;
}
MODEL wchar_t *wcsncpy(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i] != 0; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}
MODEL wchar_t *wcscat(wchar_t *restrict to, const wchar_t *restrict from) {
    __builtin_memcpy(to + length(to), from, (length(from) + 1) * sizeof *to);
    return to;
}
MODEL wchar_t *wcsncat(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
    wchar_t *end = to + length(to);
    for (; n > 0 && *from != 0; n--) *end++ = *from++;
    *end = 0;
    return to;
}
static int compare(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
        if (a[i] == 0) break;
    }
    return 0;
}
MODEL int wcscmp(const wchar_t *a, const wchar_t *b) { return compare(a, b, SIZE_MAX); }
MODEL int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) { return compare(a, b, n); }
MODEL int wcscoll(const wchar_t *a, const wchar_t *b) { return compare(a, b, SIZE_MAX); }
MODEL size_t wcsxfrm(wchar_t *restrict to, const wchar_t *restrict from, size_t n) {
    size_t len = length(from);
    for (size_t i = 0; i < n && i <= len; i++) to[i] = from[i];
    return len;
}
MODEL wchar_t *wcschr(const wchar_t *s, wchar_t c) {
    for (;; s++) {
        if (*s == c) return (wchar_t *)s;
        if (*s == 0) return NULL;
    }
}
MODEL wchar_t *wcsrchr(const wchar_t *s, wchar_t c) {
    const wchar_t *last = NULL;
    for (;; s++) {
        if (*s == c) last = s;
        if (*s == 0) return (wchar_t *)last;
    }
}
static int contains(const wchar_t *set, wchar_t c) {
    for (; *set != 0; set++)
        if (*set == c) return 1;
    return 0;
}
static size_t span(const wchar_t *s, const wchar_t *set, int want) {
    size_t n = 0;
    while (s[n] != 0 && contains(set, s[n]) == want) n++;
    return n;
}
MODEL size_t wcsspn(const wchar_t *s, const wchar_t *accept) { return span(s, accept, 1); }
MODEL size_t wcscspn(const wchar_t *s, const wchar_t *reject) { return span(s, reject, 0); }
MODEL wchar_t *wcspbrk(const wchar_t *s, const wchar_t *accept) {
    s += span(s, accept, 0);
    return *s == 0 ? NULL : (wchar_t *)s;
}
MODEL wchar_t *wcsstr(const wchar_t *hay, const wchar_t *needle) {
    size_t n = length(needle);
    for (;; hay++) {
        if (compare(hay, needle, n) == 0) return (wchar_t *)hay;
        if (*hay == 0) return NULL;
    }
}
MODEL wchar_t *wcstok(wchar_t *restrict s, const wchar_t *restrict separators, wchar_t **restrict rest) {
    if (s == NULL) s = *rest;
    if (s == NULL) return NULL;
    s += span(s, separators, 1);
    if (*s == 0) {
        *rest = NULL;
        return NULL;
    }
    wchar_t *end = s + span(s, separators, 0);
    *rest = *end == 0 ? NULL : end + 1;
    *end = 0;
    return s;
}
MODEL wchar_t *wcsdup(const wchar_t *s) {
    size_t bytes = (length(s) + 1) * sizeof *s;
    wchar_t *p = __rp_try_alloc(bytes, 16, 0);
    if (p == NULL) return NULL;
    __builtin_memcpy(p, s, bytes);
    return p;
}

/* Numbers: narrow the text (only ASCII can belong to a number), convert that, and carry the end back. */
#define WIDE_NUMBER(name, type, narrow, ...)                                                        \
    MODEL type name(const wchar_t *restrict s, wchar_t **restrict end __VA_ARGS__) {                \
        size_t n = length(s);                                                                       \
        char *text = __rp_alloc(n + 1, 16, 0, RP_MALLOC), *stop;                                    \
        for (size_t i = 0; i <= n; i++) text[i] = (char)((unsigned)s[i] < 128 ? s[i] : '?');        \
        type v = narrow;                                                                            \
        if (end != NULL) *end = (wchar_t *)s + (stop - text);                                       \
        __rp_dealloc(text, RP_MALLOC);                                                              \
        return v;                                                                                   \
    }
#define BASE , int base
WIDE_NUMBER(wcstol, long, strtol(text, &stop, base), BASE)
WIDE_NUMBER(wcstoul, unsigned long, strtoul(text, &stop, base), BASE)
WIDE_NUMBER(wcstoll, long long, strtoll(text, &stop, base), BASE)
WIDE_NUMBER(wcstoull, unsigned long long, strtoull(text, &stop, base), BASE)
WIDE_NUMBER(wcstod, double, strtod(text, &stop))
WIDE_NUMBER(wcstof, float, strtof(text, &stop))
WIDE_NUMBER(wcstold, long double, strtold(text, &stop))

/* ---- between wide and narrow ---- */

static int is_ascii(wint_t c) { return c < 128; }
MODEL wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : WEOF; }
MODEL int wctob(wint_t c) { return is_ascii(c) ? (int)c : EOF; }
MODEL int mbsinit(const mbstate_t *state UNUSED) { return 1; }

/* Without a state of the caller's, a function uses a static one of its own, unprotected: glibc documents that as a race. */
static mbstate_t own_state[8];
enum { MBRTOWC, MBTOWC, MBRLEN, MBLEN, WCRTOMB, WCTOMB, MBSRTOWCS, WCSRTOMBS };
static void use_state(mbstate_t *state, int function) {
    if (state == NULL) state = &own_state[function];
    state->__count = 0;
}

static size_t from_byte(wchar_t *out, const char *s, size_t n) {
    if (s == NULL) return 0;
    if (n == 0) return (size_t)-2;
    if ((unsigned char)*s > 127) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    if (out != NULL) *out = *s;
    return *s != '\0';
}
static size_t to_byte(char *s, wchar_t c) {
    if (s == NULL) return 1;
    if (!is_ascii((wint_t)c)) {
        errno = EILSEQ;
        return (size_t)-1;
    }
    *s = (char)c;
    return 1;
}
MODEL size_t mbrtowc(wchar_t *restrict out, const char *restrict s, size_t n, mbstate_t *restrict state) {
    use_state(state, MBRTOWC);
    return from_byte(out, s, n);
}
MODEL int mbtowc(wchar_t *restrict out, const char *restrict s, size_t n) {
    use_state(NULL, MBTOWC);
    return n == 0 && s != NULL ? -1 : (int)from_byte(out, s, n);
}
MODEL size_t mbrlen(const char *restrict s, size_t n, mbstate_t *restrict state) {
    use_state(state, MBRLEN);
    return from_byte(NULL, s, n);
}
MODEL int mblen(const char *s, size_t n) {
    use_state(NULL, MBLEN);
    return n == 0 && s != NULL ? -1 : (int)from_byte(NULL, s, n);
}
MODEL size_t wcrtomb(char *restrict s, wchar_t c, mbstate_t *restrict state) {
    use_state(state, WCRTOMB);
    return to_byte(s, c);
}
MODEL int wctomb(char *s, wchar_t c) {
    use_state(NULL, WCTOMB);
    return s == NULL ? 0 : (int)to_byte(s, c);
}

MODEL size_t mbstowcs(wchar_t *restrict out, const char *restrict s, size_t n) {
    size_t i = 0;
    for (; out == NULL || i < n; i++) {
        wchar_t c;
        if (from_byte(&c, s + i, 1) == (size_t)-1) return (size_t)-1;
        if (out != NULL) out[i] = c;
        if (c == 0) break;
    }
    return i;
}
MODEL size_t wcstombs(char *restrict out, const wchar_t *restrict s, size_t n) {
    size_t i = 0;
    for (; out == NULL || i < n; i++) {
        char c;
        if (to_byte(&c, s[i]) == (size_t)-1) return (size_t)-1;
        if (out != NULL) out[i] = c;
        if (c == 0) break;
    }
    return i;
}
/* The restartable forms also move *s: to null at the end, else to where they stopped. */
MODEL size_t mbsrtowcs(wchar_t *restrict out, const char **restrict s, size_t n, mbstate_t *restrict state) {
    use_state(state, MBSRTOWCS);
    size_t i = mbstowcs(out, *s, n);
    if (out != NULL && i != (size_t)-1) *s = i < n ? NULL : *s + i;
    return i;
}
MODEL size_t wcsrtombs(char *restrict out, const wchar_t **restrict s, size_t n, mbstate_t *restrict state) {
    use_state(state, WCSRTOMBS);
    size_t i = wcstombs(out, *s, n);
    if (out != NULL && i != (size_t)-1) *s = i < n ? NULL : *s + i;
    return i;
}

/* ---- classes ---- */

#define BETWEEN(low, high) (c >= (wint_t)(low) && c <= (wint_t)(high))
#define CLASS(name, test) \
    MODEL int name(wint_t c) { return test; }
CLASS(iswupper, BETWEEN('A', 'Z'))
CLASS(iswlower, BETWEEN('a', 'z'))
CLASS(iswalpha, BETWEEN('A', 'Z') || BETWEEN('a', 'z'))
CLASS(iswdigit, BETWEEN('0', '9'))
CLASS(iswalnum, BETWEEN('A', 'Z') || BETWEEN('a', 'z') || BETWEEN('0', '9'))
CLASS(iswxdigit, BETWEEN('0', '9') || BETWEEN('a', 'f') || BETWEEN('A', 'F'))
CLASS(iswspace, c == ' ' || BETWEEN('\t', '\r'))
CLASS(iswblank, c == ' ' || c == '\t')
CLASS(iswprint, BETWEEN(32, 126))
CLASS(iswgraph, BETWEEN(33, 126))
CLASS(iswcntrl, c < 32 || c == 127)
CLASS(iswpunct, BETWEEN(33, 126) && !(BETWEEN('A', 'Z') || BETWEEN('a', 'z') || BETWEEN('0', '9')))
MODEL wint_t towlower(wint_t c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
MODEL wint_t towupper(wint_t c) { return c >= 'a' && c <= 'z' ? c - 32 : c; }
