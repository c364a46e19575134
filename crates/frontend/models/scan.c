/* scan.c: formatted input (C11 7.21.6.2, POSIX %m). sscanf reads its string exactly; scanf and fscanf read a stream whose
 * contents are unconstrained: every directive is taken to match and every conversion stores an arbitrary value, so the
 * result is the number of conversions. (Ill-formed input and its end are not explored; FUNCTIONS.md says so.) */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum length { L_NONE, L_HH, L_H, L_L, L_LL, L_J, L_Z, L_T, L_LD };

struct spec {
    int suppress, allocate;
    int width; /* 0 if none */
    enum length length;
    char conversion;
    const char *set; /* for %[: the first character of the set */
    int set_length, inverted;
};

static int is_space(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static enum length read_length(const char **p) {
    switch (*(*p)++) {
    case 'h': return **p == 'h' ? (*p)++, L_HH : L_H;
    case 'l': return **p == 'l' ? (*p)++, L_LL : L_L;
    case 'q': return L_LL;
    case 'j': return L_J;
    case 'z': return L_Z;
    case 't': return L_T;
    case 'L': return L_LD;
    default: (*p)--; return L_NONE;
    }
}
static void read_set(const char **p, struct spec *s) {
    s->inverted = **p == '^';
    if (s->inverted) (*p)++;
    s->set = *p;
    if (**p == ']') (*p)++;
    while (**p != ']' && **p != '\0') (*p)++;
    s->set_length = (int)(*p - s->set);
    if (**p == ']') (*p)++;
}
/* Reads what follows '%'; returns 0 if the format ends inside the directive. */
static int read_spec(const char **p, struct spec *s) {
    s->suppress = s->allocate = s->width = 0;
    if (**p == '*') {
        s->suppress = 1;
        (*p)++;
    }
    while (**p >= '0' && **p <= '9') s->width = s->width * 10 + (*(*p)++ - '0');
    if (**p == '$') __rp_unsupported("numbered arguments in a scanf format");
    if (**p == 'm') {
        s->allocate = 1;
        (*p)++;
    }
    s->length = read_length(p);
    s->conversion = **p;
    if (s->conversion == '\0') return 0;
    (*p)++;
    if (s->conversion == '[') read_set(p, s);
    return 1;
}
/* Whether c belongs to the scanset; a '-' between two characters makes a range, as in glibc. */
static int in_set(const struct spec *s, char c) {
    int found = 0;
    for (int i = 0; i < s->set_length && !found; i++) {
        unsigned char low = s->set[i], high = low;
        if (i + 2 < s->set_length && s->set[i + 1] == '-' && (unsigned char)s->set[i + 2] >= low) {
            high = s->set[i + 2];
            i += 2;
        }
        found = (unsigned char)c >= low && (unsigned char)c <= high;
    }
    return found != s->inverted;
}

static void store_integer(void *p, enum length length, unsigned long long v) {
    switch (length) {
    case L_HH: *(unsigned char *)p = (unsigned char)v; break;
    case L_H: *(unsigned short *)p = (unsigned short)v; break;
    case L_L: *(unsigned long *)p = (unsigned long)v; break;
    case L_LL:
    case L_LD:
    case L_J: *(unsigned long long *)p = v; break;
    case L_Z:
    case L_T: *(size_t *)p = (size_t)v; break;
    default: *(unsigned *)p = (unsigned)v;
    }
}
static int bits_of(enum length length) {
    switch (length) {
    case L_L: return (int)sizeof(long) * 8;
    case L_LL:
    case L_LD:
    case L_J: return 64;
    case L_Z:
    case L_T: return (int)sizeof(size_t) * 8;
    default: return (int)sizeof(long) * 8; /* glibc reads with strtol, then converts */
    }
}

/* ---- from a string ---- */

struct input {
    const char *at;
    int consumed;
};
static int peek(const struct input *in) { return (unsigned char)*in->at; } /* 0 at the end */
static void advance(struct input *in) {
    in->at++;
    in->consumed++;
}
static void skip_space(struct input *in) {
    while (is_space(peek(in))) advance(in);
}

static int digit_value(int c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}
/* The longest prefix of an integer (C11 7.21.6.2 p9). Returns 0 if it is not one. */
static int scan_integer(struct input *in, int width, int base, int is_signed, int bits, unsigned long long *result) {
    int left = width > 0 ? width : 0x7fffffff, negative = 0, overflow = 0, any = 0;
    unsigned long long v = 0;
    if (peek(in) == '-' || peek(in) == '+') {
        negative = peek(in) == '-';
        advance(in);
        left--;
    }
    if ((base == 0 || base == 16) && left > 0 && peek(in) == '0') {
        any = 1;
        advance(in);
        left--;
        if (left > 0 && (peek(in) | 0x20) == 'x') {
            base = 16; /* like glibc, "0x" alone is taken as 0 */
            advance(in);
            left--;
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0) base = 10;
    for (; left > 0 && digit_value(peek(in)) < base; left--, any = 1) {
        overflow |= __builtin_mul_overflow(v, (unsigned long long)base, &v);
        overflow |= __builtin_add_overflow(v, (unsigned long long)digit_value(peek(in)), &v);
        advance(in);
    }
    if (!any) return 0;
    unsigned long long top = bits == 64 ? ~0ull : (1ull << bits) - 1, half = top >> 1;
    if (is_signed) {
        unsigned long long limit = negative ? half + 1 : half;
        if (overflow || v > limit) v = limit, errno = ERANGE;
        if (negative) v = 0 - v;
    } else if (overflow || v > top) {
        v = top, errno = ERANGE;
    } else if (negative) {
        v = 0 - v;
    }
    *result = v;
    return 1;
}

/* Collects the longest prefix of a floating number into text; returns its length, 0 if it is not one. */
struct collector {
    struct input *in;
    char *text;
    int n, left;
};
static int next(struct collector *c) { return c->left > 0 && c->n < 400 ? peek(c->in) : 0; }
static void take(struct collector *c) {
    c->text[c->n++] = *c->in->at;
    advance(c->in);
    c->left--;
}
static int take_word(struct collector *c, const char *word) {
    for (; *word != '\0'; word++) {
        if ((next(c) | 0x20) != *word) return 0;
        take(c);
    }
    return 1;
}
static int take_digits(struct collector *c, int base) {
    int n = 0;
    for (; digit_value(next(c)) < base; n++) take(c);
    return n;
}
static int take_special(struct collector *c) {
    if ((next(c) | 0x20) == 'n') {
        if (!take_word(c, "nan")) return 0;
        if (next(c) != '(') return 1;
        do take(c);
        while (digit_value(next(c)) < 36 || next(c) == '_');
        if (next(c) != ')') return 0;
        take(c);
        return 1;
    }
    if (!take_word(c, "inf")) return 0;
    return (next(c) | 0x20) != 'i' || take_word(c, "inity");
}
static int take_float(struct collector *c) {
    if (next(c) == '-' || next(c) == '+') take(c);
    int first = next(c) | 0x20;
    if (first == 'n' || first == 'i') return take_special(c);
    int base = 10, any = 0;
    if (next(c) == '0') {
        take(c);
        any = 1;
        if ((next(c) | 0x20) == 'x') {
            take(c);
            base = 16;
            any = 0;
        }
    }
    any += take_digits(c, base);
    if (next(c) == '.') {
        take(c);
        any += take_digits(c, base);
    }
    if (any == 0) return 0;
    if ((next(c) | 0x20) == (base == 16 ? 'p' : 'e')) {
        int valid = c->n; /* like glibc, an exponent without digits is read but does not count */
        take(c);
        if (next(c) == '-' || next(c) == '+') take(c);
        if (take_digits(c, 10) == 0) c->n = valid;
    }
    return 1;
}
static int scan_float(struct input *in, const struct spec *s, void *target) {
    char text[408];
    struct collector c = {in, text, 0, s->width > 0 ? s->width : 0x7fffffff};
    if (!take_float(&c)) return 0;
    if (target == NULL) return 1;
    if (s->length == L_LD) __rp_parse_long_double(target, text, (size_t)c.n);
    else if (s->length == L_L) *(double *)target = __rp_parse_double(text, (size_t)c.n);
    else *(float *)target = __rp_parse_float(text, (size_t)c.n);
    return 1;
}

/* %c, %s and %[. Characters go to *out as char or wchar_t; returns how many matched. */
static int matches(const struct spec *s, int c) {
    if (s->conversion == 's' || s->conversion == 'S') return !is_space(c);
    return s->conversion == '[' ? in_set(s, (char)c) : 1;
}
static int scan_text(struct input *in, const struct spec *s, void *target, int limit) {
    int wide = s->length == L_L || s->conversion == 'S' || s->conversion == 'C';
    int n = 0;
    for (; n < limit && peek(in) != 0 && matches(s, peek(in)); n++) {
        if (target != NULL && wide) ((wchar_t *)target)[n] = peek(in);
        else if (target != NULL) ((char *)target)[n] = *in->at;
        advance(in);
    }
    int is_char = s->conversion == 'c' || s->conversion == 'C';
    if (is_char || n == 0 || target == NULL) return n;
    if (wide) ((wchar_t *)target)[n] = 0;
    else ((char *)target)[n] = '\0';
    return n;
}
/* How many characters scan_text would take. */
static int measure_text(const struct input *in, const struct spec *s, int limit) {
    struct input probe = *in;
    return scan_text(&probe, s, NULL, limit);
}

static int is_text(char c) { return c == 'c' || c == 'C' || c == 's' || c == 'S' || c == '['; }

/* One conversion: 1 stored or suppressed, 0 matching failure, -1 the input had ended. */
static int convert(struct input *in, const struct spec *s, void *target) {
    char c = s->conversion;
    if (c != 'c' && c != 'C' && c != '[') skip_space(in);
    if (peek(in) == 0) return -1;
    if (is_text(c)) {
        int one = c == 'c' || c == 'C';
        int limit = s->width > 0 ? s->width : one ? 1 : 0x7fffffff;
        void *out = target;
        if (s->allocate && target != NULL) {
            size_t n = (size_t)measure_text(in, s, limit) + 1, unit = s->length == L_L ? sizeof(wchar_t) : 1;
            out = __rp_alloc(n * unit, 16, 0, RP_MALLOC);
            *(void **)target = out;
        }
        int n = scan_text(in, s, out, limit);
        return n > 0;
    }
    unsigned long long v;
    switch (c) {
    case 'd':
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'i': {
        int base = c == 'o' ? 8 : c == 'x' || c == 'X' ? 16 : c == 'i' ? 0 : 10;
        if (!scan_integer(in, s->width, base, c == 'd' || c == 'i', bits_of(s->length), &v)) return 0;
        if (target != NULL) store_integer(target, s->length, v);
        return 1;
    }
    case 'p':
        if (strncmp(in->at, "(nil)", 5) == 0) {
            for (int i = 0; i < 5; i++) advance(in);
            v = 0;
        } else if (!scan_integer(in, s->width, 16, 0, (int)sizeof(void *) * 8, &v)) {
            return 0;
        }
        if (target != NULL) *(void **)target = (void *)(uintptr_t)v;
        return 1;
    default: return scan_float(in, s, target);
    }
}

static int is_conversion(char c) { return c != '\0' && strchr("diouxXpaAeEfFgGcCsS[", c) != NULL; }

static int scan_string(const char *text, const char *p, va_list args) {
    struct input in = {text, 0};
    int stored = 0;
    while (*p != '\0') {
        if (is_space((unsigned char)*p)) {
            skip_space(&in);
            p++;
            continue;
        }
        int literal = *p;
        if (*p++ == '%' && *p != '%') {
            struct spec s;
            if (!read_spec(&p, &s)) break;
            if (s.conversion == 'n') {
                if (!s.suppress) store_integer(va_arg(args, void *), s.length, (unsigned long long)in.consumed);
                continue;
            }
            if (!is_conversion(s.conversion)) __rp_unsupported("an unknown conversion in a scanf format");
            void *target = s.suppress ? NULL : va_arg(args, void *);
            int r = convert(&in, &s, target);
            if (r < 0) return stored > 0 ? stored : EOF;
            if (r == 0) return stored;
            stored += !s.suppress;
            continue;
        }
        if (literal == '%') { /* "%%" skips white space first, as every conversion but c, [ and n does */
            p++;
            skip_space(&in);
        }
        if (peek(&in) == 0) return stored > 0 ? stored : EOF;
        if (peek(&in) != (unsigned char)literal) return stored;
        advance(&in);
    }
    return stored;
}

/* ---- from a stream: arbitrary values ---- */

static size_t integer_size(enum length length) {
    switch (length) {
    case L_HH: return 1;
    case L_H: return 2;
    case L_L: return sizeof(long);
    case L_LL:
    case L_LD:
    case L_J: return 8;
    case L_Z:
    case L_T: return sizeof(size_t);
    default: return sizeof(int);
    }
}
static void any_text(const struct spec *s, void *target) {
    size_t unit = s->length == L_L || s->conversion == 'S' || s->conversion == 'C' ? sizeof(wchar_t) : 1;
    int one = s->conversion == 'c' || s->conversion == 'C';
    if (s->allocate || (!one && s->width == 0)) __rp_unsupported("scanf of a string without a maximum width");
    size_t n = s->width > 0 ? (size_t)s->width : 1;
    __rp_havoc(target, n * unit);
    if (!one) __builtin_memset((char *)target + n * unit, 0, unit);
}
static void any_value(const struct spec *s, void *target) {
    if (is_text(s->conversion)) {
        any_text(s, target);
    } else if (strchr("aAeEfFgG", s->conversion) != NULL) {
        __rp_havoc(target, s->length == L_LD ? sizeof(long double) : s->length == L_L ? sizeof(double) : sizeof(float));
    } else {
        __rp_havoc(target, s->conversion == 'p' ? sizeof(void *) : integer_size(s->length));
    }
}
static int scan_stream(const char *p, va_list args) {
    int stored = 0;
    while (*p != '\0') {
        if (*p++ != '%') continue;
        if (*p == '%') {
            p++;
            continue;
        }
        struct spec s;
        if (!read_spec(&p, &s)) break;
        if (s.suppress) continue;
        any_value(&s, va_arg(args, void *));
        stored += s.conversion != 'n';
    }
    return stored;
}
static int scan_file(FILE *f, const char *format, va_list args) {
    if (f->_fileno != 0) __rp_unsupported("reading a file (its contents are not known)");
    return scan_stream(format, args);
}

/* The headers rename these (__isoc99_, __isoc23_) to keep %a apart from an old GNU extension. */
#define SCANF(prefix)                                                                                          \
    int prefix##vsscanf(const char *restrict, const char *restrict, va_list);                                  \
    int prefix##vscanf(const char *restrict, va_list);                                                         \
    int prefix##vfscanf(FILE *restrict, const char *restrict, va_list);                                        \
    int prefix##sscanf(const char *restrict, const char *restrict, ...);                                       \
    int prefix##scanf(const char *restrict, ...);                                                              \
    int prefix##fscanf(FILE *restrict, const char *restrict, ...);                                             \
    MODEL int prefix##vsscanf(const char *restrict text, const char *restrict format, va_list args) {          \
        va_list copy;                                                                                          \
        va_copy(copy, args);                                                                                   \
        int n = scan_string(text, format, copy);                                                               \
        va_end(copy);                                                                                          \
        return n;                                                                                              \
    }                                                                                                          \
    MODEL int prefix##vscanf(const char *restrict format, va_list args) { return scan_stream(format, args); }  \
    MODEL int prefix##vfscanf(FILE *restrict f, const char *restrict format, va_list args) {                   \
        return scan_file(f, format, args);                                                                     \
    }                                                                                                          \
    MODEL int prefix##sscanf(const char *restrict text, const char *restrict format, ...) {                    \
        va_list args;                                                                                          \
        va_start(args, format);                                                                                \
        int n = scan_string(text, format, args);                                                               \
        va_end(args);                                                                                          \
        return n;                                                                                              \
    }                                                                                                          \
    MODEL int prefix##scanf(const char *restrict format, ...) {                                                \
        va_list args;                                                                                          \
        va_start(args, format);                                                                                \
        int n = scan_stream(format, args);                                                                     \
        va_end(args);                                                                                          \
        return n;                                                                                              \
    }                                                                                                          \
    MODEL int prefix##fscanf(FILE *restrict f, const char *restrict format, ...) {                             \
        va_list args;                                                                                          \
        va_start(args, format);                                                                                \
        int n = scan_file(f, format, args);                                                                    \
        va_end(args);                                                                                          \
        return n;                                                                                              \
    }
SCANF(__isoc99_)
SCANF(__isoc23_)
