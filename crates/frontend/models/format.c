/* format.c: the engine of the printf family (C11 7.21.6.1, POSIX, and glibc's %m, %C, %S).
 *
 * What a conversion prints may depend on the schedule; that must not count as steering control. So numbers are
 * converted without a branch on their value: the digit loop has a fixed trip count, and sign, prefix, zeros and padding are
 * pieces whose lengths are computed arithmetically and handed to __rp_output. Only when the text goes to memory (sprintf)
 * does a length decide which bytes are written, and there it truly does.
 * Text goes out piece by piece; no piece is a scheduling point, so that one call's output stays together, as POSIX's
 * stream locking demands.
 * Numbered arguments (%1$d) are supported for up to 16 arguments. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>

enum { MINUS = 1, PLUS = 2, SPACE = 4, HASH = 8, ZERO = 16 };
enum length { L_NONE, L_HH, L_H, L_L, L_LL, L_J, L_Z, L_T, L_LD };

struct spec {
    int flags;
    int width;     /* 0 if none */
    int precision; /* -1 if none */
    enum length length;
    char conversion;
};

/* Where arguments come from: in order, or by number from a table that was filled first. */
union value {
    long long i;
    long double f;
    void *p;
};
struct source {
    va_list args;
    int numbered;
    union value table[17];
};

/* ---- emitting ---- */

static void emit(struct rp_sink *sink, const char *text, size_t n) {
    if (sink->fd >= 0) {
        __rp_output(sink->fd, text, n);
    } else if (sink->fd == -1) {
        for (size_t i = 0; i < n && sink->room > 0; i++, sink->room--) *sink->out++ = text[i];
    }
}

static int larger(int a, int b) { /* max without a branch */
    int keep = -(a > b);
    return (a & keep) | (b & ~keep);
}
static int smaller(int a, int b) {
    int keep = -(a < b);
    return (a & keep) | (b & ~keep);
}

/* Emits n of a character, where n may depend on the value printed but is at most `bound`, which does not. */
static void emit_padding(struct rp_sink *sink, const char *sixteen, int n, int bound) {
    for (; bound > 0; bound -= 16) {
        int piece = larger(smaller(n, 16), 0);
        emit(sink, sixteen, (size_t)piece);
        n -= piece;
    }
}
static const char SPACES[] = "                ", ZEROS[] = "0000000000000000";

/* ---- integers ---- */

struct digits {
    char text[64]; /* right-aligned */
    int count;     /* without leading zeros; 0 for the number 0 */
};

static void convert(struct digits *d, unsigned long long v, unsigned base, int limit, int upper) {
    int letter = upper ? 'A' - 10 : 'a' - 10;
    d->count = 0;
    for (int i = 1; i <= limit; i++) {
        int digit = (int)(v % base), high = -(digit > 9);
        d->text[64 - i] = (char)(digit + ((letter & high) | ('0' & ~high)));
        d->count += v != 0;
        v /= base;
    }
}

/* How many digits any number of `bits` bits may need. */
static int digit_limit(unsigned base, int bits) {
    if (base == 2) return bits;
    if (base == 8) return (bits + 2) / 3;
    if (base == 16) return bits / 4;
    return bits == 64 ? 20 : bits == 32 ? 10 : bits == 16 ? 5 : 3;
}

/* The same for the C++ streams: right-aligned in text after zeros, returns how many digits there are. */
MODEL int __rp_digits(char text[64], unsigned long long v, unsigned base, int bits, int upper) {
    struct digits d;
    __builtin_memset(d.text, '0', sizeof d.text);
    convert(&d, v, base, digit_limit(base, bits), upper);
    __builtin_memcpy(text, d.text, sizeof d.text);
    return d.count;
}

/* prefix_len: how much of the prefix (a sign, or 0x) this value has. Returns the length. */
static int emit_number(struct rp_sink *sink, const struct spec *s, const char *prefix, int prefix_len,
                       const struct digits *d, int least_zeros) {
    int precision = s->precision < 0 ? 1 : s->precision;
    int zeros = larger(larger(precision - d->count, 0), least_zeros);
    int bound = larger(larger(precision, s->width), 1);
    if ((s->flags & ZERO) && !(s->flags & MINUS) && s->precision < 0)
        zeros = larger(zeros, s->width - prefix_len - d->count);
    int body = prefix_len + zeros + d->count;
    int padding = larger(s->width - body, 0);
    if (s->width > 0 && !(s->flags & MINUS)) emit_padding(sink, SPACES, padding, s->width);
    emit(sink, prefix, (size_t)prefix_len);
    emit_padding(sink, ZEROS, zeros, bound);
    emit(sink, d->text + 64 - d->count, (size_t)d->count);
    if (s->width > 0 && (s->flags & MINUS)) emit_padding(sink, SPACES, padding, s->width);
    return body + padding;
}

static int bits_of(enum length length) {
    switch (length) {
    case L_HH: return 8;
    case L_H: return 16;
    case L_L: return (int)sizeof(long) * 8;
    case L_LL:
    case L_LD:
    case L_J: return 64;
    case L_Z: return (int)sizeof(size_t) * 8;
    case L_T: return (int)sizeof(ptrdiff_t) * 8;
    default: return 32;
    }
}

static int format_signed(struct rp_sink *sink, const struct spec *s, long long v) {
    int bits = bits_of(s->length);
    v = (long long)((unsigned long long)v << (64 - bits)) >> (64 - bits);
    int negative = v < 0;
    unsigned long long flip = 0ull - (unsigned long long)negative;
    struct digits d;
    convert(&d, ((unsigned long long)v ^ flip) - flip, 10, digit_limit(10, bits), 0);
    int other = s->flags & PLUS ? '+' : s->flags & SPACE ? ' ' : 0;
    char sign = (char)(negative * '-' + (1 - negative) * other);
    return emit_number(sink, s, &sign, sign != 0, &d, 0);
}

static int format_unsigned(struct rp_sink *sink, const struct spec *s, unsigned long long v) {
    int bits = bits_of(s->length);
    v = v << (64 - bits) >> (64 - bits);
    char c = s->conversion;
    unsigned base = c == 'u' ? 10 : c == 'o' ? 8 : c == 'b' || c == 'B' ? 2 : 16;
    struct digits d;
    convert(&d, v, base, digit_limit(base, bits), c == 'X');
    char prefix[2] = {'0', c};
    int hash = (s->flags & HASH) != 0;
    int prefix_len = base == 16 || base == 2 ? 2 * hash * (v != 0) : 0;
    return emit_number(sink, s, prefix, prefix_len, &d, base == 8 ? hash : 0);
}

static int format_text(struct rp_sink *sink, const struct spec *s, const char *text, int n) {
    int padding = larger(s->width - n, 0);
    if (!(s->flags & MINUS)) emit_padding(sink, SPACES, padding, s->width);
    emit(sink, text, (size_t)n);
    if (s->flags & MINUS) emit_padding(sink, SPACES, padding, s->width);
    return n + padding;
}

/* glibc prints a null pointer as "(nil)" and any other like %#lx. */
static int format_pointer(struct rp_sink *sink, const struct spec *s, void *p) {
    struct spec hex = *s;
    if (p == NULL) {
        hex.flags &= ~ZERO;
        return format_text(sink, &hex, "(nil)", 5);
    }
    struct digits d;
    convert(&d, (uintptr_t)p, 16, digit_limit(16, (int)sizeof(void *) * 8), 0);
    char prefix[3] = {'0', 'x', 0};
    int sign = s->flags & PLUS ? '+' : s->flags & SPACE ? ' ' : 0;
    if (sign != 0) {
        prefix[0] = (char)sign;
        prefix[1] = '0';
        prefix[2] = 'x';
    }
    return emit_number(sink, &hex, prefix, 2 + (sign != 0), &d, 0);
}

/* ---- text ---- */

/* C11 7.21.6.6: copying between overlapping objects is undefined. */
static void check_overlap(const struct rp_sink *sink, const char *text, int n) {
    uintptr_t from = (uintptr_t)text, begin = (uintptr_t)sink->begin, out = (uintptr_t)sink->out;
    if (sink->fd == -1 && sink->room > 0 && n > 0 && from < out + (unsigned)n && begin < from + (unsigned)n)
        __rp_defect(RP_MISUSE, "formatted text overlaps the string that it is made of");
}

static int format_string(struct rp_sink *sink, const struct spec *s, const char *text) {
    if (text == NULL) text = s->precision >= 0 && s->precision < 6 ? "" : "(null)";
    int n = 0;
    while ((s->precision < 0 || n < s->precision) && text[n] != '\0') n++;
    check_overlap(sink, text, n);
    return format_text(sink, s, text, n);
}
/* Wide text in the "C" locale: only ASCII has a multibyte form. */
static int format_wide(struct rp_sink *sink, const struct spec *s, const wchar_t *text) {
    if (text == NULL) return format_string(sink, s, NULL);
    int n = 0;
    while ((s->precision < 0 || n < s->precision) && text[n] != 0) {
        if ((unsigned)text[n] > 127) {
            errno = EILSEQ;
            return -1;
        }
        n++;
    }
    int padding = larger(s->width - n, 0);
    if (!(s->flags & MINUS)) emit_padding(sink, SPACES, padding, s->width);
    for (int i = 0; i < n; i++) {
        char c = (char)text[i];
        emit(sink, &c, 1);
    }
    if (s->flags & MINUS) emit_padding(sink, SPACES, padding, s->width);
    return n + padding;
}

/* ---- floating ---- */

/* How long the text of any value may get: the whole part of a long double in %f, or the precision. */
static int format_float(struct rp_sink *sink, const struct spec *s, long double v) {
    char small[512];
    size_t cap = sizeof small;
    char *text = small;
    int most_digits = s->length == L_LD ? 4940 : 320;
    size_t need = (size_t)(s->precision > 0 ? s->precision : 64) + 64;
    if (s->conversion == 'f' || s->conversion == 'F') need += (size_t)most_digits;
    if (need > cap) {
        text = __rp_alloc(need, 16, 0, RP_MALLOC);
        cap = need;
    }
    int flags = (s->flags & HASH ? 1 : 0) | (s->flags & PLUS ? 2 : 0) | (s->flags & SPACE ? 4 : 0) |
                (s->length == L_LD ? 8 : 0);
    int n = __rp_format_float(text, cap, &v, s->conversion, flags, s->precision), total;
    if ((s->flags & ZERO) && !(s->flags & MINUS) && s->width > 0) {
        /* zeros go between the sign or 0x and the digits; infinities and NaNs are padded with spaces */
        int has_sign = (text[0] == '-') | (text[0] == '+') | (text[0] == ' ');
        int hex = s->conversion == 'a' || s->conversion == 'A';
        int first = (text[1] & -has_sign) | (text[0] & ~-has_sign);
        int finite = (first >= '0') & (first <= '9');
        int head = (has_sign + 2 * hex) & -finite;
        int padding = larger(s->width - n, 0);
        emit_padding(sink, SPACES, padding & -(1 - finite), s->width);
        emit(sink, text, (size_t)head);
        emit_padding(sink, ZEROS, padding & -finite, s->width);
        emit(sink, text + head, (size_t)(n - head));
        total = n + padding;
    } else {
        total = format_text(sink, s, text, n);
    }
    if (text != small) __rp_dealloc(text, RP_MALLOC);
    return total;
}

/* ---- arguments ---- */

static long long take_integer(struct source *from, int number, enum length length) {
    if (from->numbered) return from->table[number].i;
    switch (length) {
    case L_L: return va_arg(from->args, long);
    case L_LL:
    case L_LD: return va_arg(from->args, long long);
    case L_J: return va_arg(from->args, intmax_t);
    case L_Z: return (long long)va_arg(from->args, size_t);
    case L_T: return va_arg(from->args, ptrdiff_t);
    default: return va_arg(from->args, int);
    }
}
static long double take_float(struct source *from, int number, enum length length) {
    if (from->numbered) return from->table[number].f;
    if (length == L_LD) return va_arg(from->args, long double);
    return va_arg(from->args, double);
}
static void *take_pointer(struct source *from, int number) {
    return from->numbered ? from->table[number].p : va_arg(from->args, void *);
}

static void store_count(const struct spec *s, void *p, int count) {
    switch (s->length) {
    case L_HH: *(signed char *)p = (signed char)count; break;
    case L_H: *(short *)p = (short)count; break;
    case L_L: *(long *)p = count; break;
    case L_LL:
    case L_LD: *(long long *)p = count; break;
    case L_J: *(intmax_t *)p = count; break;
    case L_Z: *(size_t *)p = (size_t)count; break;
    case L_T: *(ptrdiff_t *)p = count; break;
    default: *(int *)p = count;
    }
}

/* ---- the format string ---- */

static int read_number(const char **p) {
    long v = 0;
    for (; **p >= '0' && **p <= '9'; (*p)++) v = v > INT_MAX / 10 ? INT_MAX : v * 10 + (**p - '0');
    return v > INT_MAX ? INT_MAX : (int)v;
}
/* "12$": an argument number; 0 and nothing consumed if there is none. */
static int read_position(const char **p) {
    const char *q = *p;
    int n = read_number(&q);
    if (n == 0 || *q != '$') return 0;
    *p = q + 1;
    return n;
}
static int read_flags(const char **p) {
    int flags = 0;
    for (;; (*p)++) {
        switch (**p) {
        case '-': flags |= MINUS; break;
        case '+': flags |= PLUS; break;
        case ' ': flags |= SPACE; break;
        case '#': flags |= HASH; break;
        case '0': flags |= ZERO; break;
        case '\'': break; /* grouping: the "C" locale has none */
        default: return flags;
        }
    }
}
static enum length read_length(const char **p) {
    switch (*(*p)++) {
    case 'h': return **p == 'h' ? (*p)++, L_HH : L_H;
    case 'l': return **p == 'l' ? (*p)++, L_LL : L_L;
    case 'q': return L_LL;
    case 'j': return L_J;
    case 'z':
    case 'Z': return L_Z;
    case 't': return L_T;
    case 'L': return L_LD;
    default: (*p)--; return L_NONE;
    }
}
static int star(const char **p, struct source *from) {
    int position = read_position(p);
    return (int)take_integer(from, position, L_NONE);
}
/* Reads what follows '%'. Returns the argument's number (0 if in order), or -1 on a malformed directive. */
static int read_spec(const char **p, struct spec *s, struct source *from) {
    int position = read_position(p);
    s->flags = read_flags(p);
    s->width = 0;
    s->precision = -1;
    if (**p == '*') {
        (*p)++;
        s->width = star(p, from);
        if (s->width < 0) {
            s->flags |= MINUS;
            s->width = -s->width;
        }
    } else {
        s->width = read_number(p);
    }
    if (**p == '.') {
        (*p)++;
        if (**p == '*') {
            (*p)++;
            s->precision = star(p, from);
            if (s->precision < 0) s->precision = -1;
        } else {
            s->precision = read_number(p);
        }
    }
    s->length = read_length(p);
    s->conversion = **p;
    if (s->conversion == '\0') return -1;
    (*p)++;
    return position;
}

static int run_spec(struct rp_sink *sink, struct spec *s, struct source *from, int number, int so_far) {
    char c;
    switch (s->conversion) {
    case 'd':
    case 'i': return format_signed(sink, s, take_integer(from, number, s->length));
    case 'u':
    case 'o':
    case 'x':
    case 'X':
    case 'b':
    case 'B': return format_unsigned(sink, s, (unsigned long long)take_integer(from, number, s->length));
    case 'f':
    case 'F':
    case 'e':
    case 'E':
    case 'g':
    case 'G':
    case 'a':
    case 'A': return format_float(sink, s, take_float(from, number, s->length));
    case 'c':
        if (s->length != L_L) {
            c = (char)take_integer(from, number, L_NONE);
            return format_text(sink, s, &c, 1);
        } /* fall through */
    case 'C': {
        wchar_t wide[2] = {(wchar_t)take_integer(from, number, L_NONE), 0};
        if (wide[0] == 0) return format_text(sink, s, "", 1);
        s->precision = -1;
        return format_wide(sink, s, wide);
    }
    case 's':
        if (s->length != L_L) return format_string(sink, s, take_pointer(from, number)); /* fall through */
    case 'S': return format_wide(sink, s, take_pointer(from, number));
    case 'p': return format_pointer(sink, s, take_pointer(from, number));
    case 'n': store_count(s, take_pointer(from, number), so_far); return 0;
    case 'm': return format_string(sink, s, strerror(errno));
    case '%': emit(sink, "%", 1); return 1;
    default: __rp_unsupported("an unknown conversion in a printf format");
    }
}

/* ---- numbered arguments: a first pass learns every argument's type, a second reads them in order ---- */

enum kind { K_NONE, K_INT, K_LONG, K_LLONG, K_DOUBLE, K_LDOUBLE, K_POINTER };

static enum kind kind_of(const struct spec *s) {
    if (strchr("diuoxXbBcC", s->conversion)) {
        int bits = s->conversion == 'c' || s->conversion == 'C' ? 32 : bits_of(s->length);
        return bits == 64 ? K_LLONG : K_INT;
    }
    if (strchr("fFeEgGaA", s->conversion)) return s->length == L_LD ? K_LDOUBLE : K_DOUBLE;
    return K_POINTER;
}
static int uses_numbers(const char *format) {
    for (const char *p = format; *p != '\0'; p++) {
        if (*p != '%') continue;
        if (p[1] == '%') {
            p++;
            continue;
        }
        p++;
        return read_position(&p) != 0;
    }
    return 0;
}
static void note_star(const char **p, enum kind kinds[17]) {
    if (**p != '*') {
        read_number(p);
        return;
    }
    (*p)++;
    int n = read_position(p);
    if (n >= 1 && n <= 16) kinds[n] = K_INT;
}
static void learn_kinds(const char *p, enum kind kinds[17]) {
    while (*p != '\0') {
        if (*p++ != '%') continue;
        int n = read_position(&p);
        if (n > 16) __rp_unsupported("a printf format with more than 16 numbered arguments");
        struct spec s;
        read_flags(&p);
        note_star(&p, kinds);
        if (*p == '.') {
            p++;
            note_star(&p, kinds);
        }
        s.length = read_length(&p);
        s.conversion = *p;
        if (*p != '\0') p++;
        if (n >= 1 && s.conversion != '%' && s.conversion != 'm') kinds[n] = kind_of(&s);
    }
}
static void fill_table(struct source *from, const char *format) {
    enum kind kinds[17] = {K_NONE};
    learn_kinds(format, kinds);
    for (int i = 1; i <= 16 && kinds[i] != K_NONE; i++) {
        union value *v = &from->table[i];
        switch (kinds[i]) {
        case K_INT: v->i = va_arg(from->args, int); break;
        case K_LONG:
        case K_LLONG: v->i = va_arg(from->args, long long); break;
        case K_DOUBLE: v->f = va_arg(from->args, double); break;
        case K_LDOUBLE: v->f = va_arg(from->args, long double); break;
        default: v->p = va_arg(from->args, void *);
        }
    }
    from->numbered = 1;
}

MODEL int __rp_vformat(struct rp_sink *sink, const char *format, va_list args) {
    USES_LOCALE;
    struct source from;
    from.numbered = 0;
    va_copy(from.args, args);
    if (uses_numbers(format)) fill_table(&from, format);
    int total = 0;
    const char *p = format;
    while (*p != '\0') {
        const char *text = p;
        while (*p != '\0' && *p != '%') p++;
        if (p > text) {
            emit(sink, text, (size_t)(p - text));
            total += (int)(p - text);
        }
        if (*p == '\0') break;
        p++;
        struct spec s;
        int number = read_spec(&p, &s, &from);
        if (number < 0) {
            errno = EINVAL;
            total = -1;
            break;
        }
        int n = run_spec(sink, &s, &from, number, total);
        if ((s.conversion == 's' || s.conversion == 'S' || s.conversion == 'c' || s.conversion == 'C') && n < 0) {
            total = -1; /* wide text that has no multibyte form */
            break;
        }
        total += n;
    }
    va_end(from.args);
    return total;
}
