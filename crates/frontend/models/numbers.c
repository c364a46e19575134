/* numbers.c: text to numbers (C11 7.22.1, inttypes.h 7.8.2): strtol and strtod families, ato*. Integers follow the
 * standard's subject sequence, overflow and errno rules; of a floating number only the extent is found here, its value is
 * computed by the machine, correctly rounded. */
#define _GNU_SOURCE
#include "rp.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
static int digit_value(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'z') return c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
    return 99;
}

/* The result of reading a subject sequence: its magnitude, sign, and whether the magnitude exceeds `limit`. */
struct magnitude {
    unsigned long long value;
    int negative, overflow;
};

/* Reads an integer of any base (0 decides by prefix). `binary` allows C23's 0b prefix. */
static struct magnitude read_integer(const char *s, char **end, int base, int binary) {
    struct magnitude m = {0, 0, 0};
    if (end != NULL) *end = (char *)s;
    if (base < 0 || base == 1 || base > 36) {
        errno = EINVAL;
        return m;
    }
    const char *p = s;
    while (is_space(*p)) p++;
    if (*p == '-' || *p == '+') m.negative = *p++ == '-';
    if ((base == 0 || base == 16) && p[0] == '0' && (p[1] == 'x' || p[1] == 'X') && digit_value(p[2]) < 16) {
        base = 16;
        p += 2;
    } else if (binary && (base == 0 || base == 2) && p[0] == '0' && (p[1] == 'b' || p[1] == 'B') &&
               digit_value(p[2]) < 2) {
        base = 2;
        p += 2;
    } else if (base == 0) {
        base = *p == '0' ? 8 : 10;
    }
    int any = 0;
    for (; digit_value(*p) < base; p++, any = 1) {
        m.overflow |= __builtin_mul_overflow(m.value, (unsigned long long)base, &m.value);
        m.overflow |= __builtin_add_overflow(m.value, (unsigned long long)digit_value(*p), &m.value);
    }
    if (any && end != NULL) *end = (char *)p;
    return m;
}

static long long read_signed(const char *s, char **end, int base, int binary, long long min, long long max) {
    struct magnitude m = read_integer(s, end, base, binary);
    unsigned long long limit = m.negative ? 0ull - (unsigned long long)min : (unsigned long long)max;
    if (m.overflow || m.value > limit) {
        errno = ERANGE;
        return m.negative ? min : max;
    }
    return (long long)(m.negative ? 0ull - m.value : m.value);
}
/* A minus sign negates in the unsigned type (C11 7.22.1.4 p5). */
static unsigned long long read_unsigned(const char *s, char **end, int base, int binary, unsigned long long max) {
    struct magnitude m = read_integer(s, end, base, binary);
    if (m.overflow || m.value > max) {
        errno = ERANGE;
        return max;
    }
    return (m.negative ? 0ull - m.value : m.value) & max;
}

#define SIGNED(name, type, min, max, binary)                                                     \
    MODEL type name(const char *restrict s, char **restrict end, int base) {                     \
        return (type)read_signed(s, end, base, binary, min, max);                                \
    }                                                                                            \
    MODEL type name##_l(const char *restrict s, char **restrict end, int base, locale_t l UNUSED) { \
        return (type)read_signed(s, end, base, binary, min, max);                                \
    }
#define UNSIGNED(name, type, max, binary)                                                        \
    MODEL type name(const char *restrict s, char **restrict end, int base) {                     \
        return (type)read_unsigned(s, end, base, binary, max);                                   \
    }                                                                                            \
    MODEL type name##_l(const char *restrict s, char **restrict end, int base, locale_t l UNUSED) { \
        return (type)read_unsigned(s, end, base, binary, max);                                   \
    }
SIGNED(strtol, long, LONG_MIN, LONG_MAX, 0)
SIGNED(strtoll, long long, LLONG_MIN, LLONG_MAX, 0)
SIGNED(strtoq, long long, LLONG_MIN, LLONG_MAX, 0)
SIGNED(strtoimax, intmax_t, INTMAX_MIN, INTMAX_MAX, 0)
UNSIGNED(strtoul, unsigned long, ULONG_MAX, 0)
UNSIGNED(strtoull, unsigned long long, ULLONG_MAX, 0)
UNSIGNED(strtouq, unsigned long long, ULLONG_MAX, 0)
UNSIGNED(strtoumax, uintmax_t, UINTMAX_MAX, 0)
/* What later glibc headers call instead under C23: with binary numbers. */
SIGNED(__isoc23_strtol, long, LONG_MIN, LONG_MAX, 1)
SIGNED(__isoc23_strtoll, long long, LLONG_MIN, LLONG_MAX, 1)
SIGNED(__isoc23_strtoimax, intmax_t, INTMAX_MIN, INTMAX_MAX, 1)
UNSIGNED(__isoc23_strtoul, unsigned long, ULONG_MAX, 1)
UNSIGNED(__isoc23_strtoull, unsigned long long, ULLONG_MAX, 1)
UNSIGNED(__isoc23_strtoumax, uintmax_t, UINTMAX_MAX, 1)

/* Undefined on overflow (C11 7.22.1.2); like glibc, converted from long. */
MODEL int atoi(const char *s) { return (int)read_signed(s, NULL, 10, 0, LONG_MIN, LONG_MAX); }
MODEL long atol(const char *s) { return (long)read_signed(s, NULL, 10, 0, LONG_MIN, LONG_MAX); }
MODEL long long atoll(const char *s) { return read_signed(s, NULL, 10, 0, LLONG_MIN, LLONG_MAX); }

/* ---- floating ---- */

static int same_word(const char *s, const char *word) {
    int n = 0;
    while (word[n] != '\0') {
        if ((s[n] | 0x20) != word[n]) return 0;
        n++;
    }
    return n;
}
static int digits(const char *p, int base) {
    int n = 0;
    while (digit_value(p[n]) < base) n++;
    return n;
}
/* nan, or nan(chars) */
static int nan_extent(const char *p) {
    if (p[3] != '(') return 3;
    int n = 4;
    while (digit_value(p[n]) < 36 || p[n] == '_') n++;
    return p[n] == ')' ? n + 1 : 3;
}
/* How many characters at p, after the sign, form a floating number (C11 7.22.1.3 p3); 0 if none. */
static int float_extent(const char *p) {
    int n = same_word(p, "infinity");
    if (n == 0) n = same_word(p, "inf");
    if (n != 0) return n;
    if (same_word(p, "nan")) return nan_extent(p);
    int base = 10, start = 0;
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X') &&
        (digit_value(p[2]) < 16 || (p[2] == '.' && digit_value(p[3]) < 16))) {
        base = 16;
        start = 2;
    }
    int whole = digits(p + start, base), fraction = 0;
    n = start + whole;
    if (p[n] == '.') {
        fraction = digits(p + n + 1, base);
        if (whole + fraction > 0) n += 1 + fraction;
    }
    if (whole + fraction == 0) return 0;
    char mark = base == 16 ? 'p' : 'e';
    if ((p[n] | 0x20) == mark) {
        int sign = p[n + 1] == '+' || p[n + 1] == '-';
        int exponent = digits(p + n + 1 + sign, 10);
        if (exponent > 0) n += 1 + sign + exponent;
    }
    return n;
}
/* Finds the number in s: where it starts (its sign) and how long it is; sets *end. */
static const char *find_float(const char *s, char **end, int *length) {
    const char *p = s;
    while (is_space(*p)) p++;
    int sign = *p == '-' || *p == '+';
    int n = float_extent(p + sign);
    *length = n == 0 ? 0 : n + sign;
    if (end != NULL) *end = (char *)(n == 0 ? s : p + *length);
    return p;
}
/* A non-zero number became 0, or a finite number became infinite: ERANGE (C11 7.22.1.3 p10). */
static int has_nonzero_digit(const char *p, int n) {
    int hex = 0;
    for (int i = 0; i < n; i++) {
        if (p[i] == 'x' || p[i] == 'X') hex = 1;
        else if (!hex && (p[i] | 0x20) == 'e') return 0;
        else if ((p[i] | 0x20) == 'p') return 0;
        else if (digit_value(p[i]) != 0 && digit_value(p[i]) < 16) return 1;
    }
    return 0;
}
static int names_infinity_or_nan(const char *p, int n) {
    int sign = n > 0 && (p[0] == '-' || p[0] == '+');
    return n > sign && ((p[sign] | 0x20) == 'i' || (p[sign] | 0x20) == 'n');
}
static void check_range(const char *p, int n, int infinite, int tiny) {
    if (names_infinity_or_nan(p, n)) return;
    if (infinite || (tiny && has_nonzero_digit(p, n))) errno = ERANGE;
}

MODEL double strtod(const char *restrict s, char **restrict end) {
    USES_LOCALE;
    int n;
    const char *p = find_float(s, end, &n);
    if (n == 0) return 0;
    double v = __rp_parse_double(p, (size_t)n), a = v < 0 ? -v : v;
    check_range(p, n, a > __DBL_MAX__, a < __DBL_MIN__);
    return v;
}
MODEL float strtof(const char *restrict s, char **restrict end) {
    USES_LOCALE;
    int n;
    const char *p = find_float(s, end, &n);
    if (n == 0) return 0;
    float v = __rp_parse_float(p, (size_t)n), a = v < 0 ? -v : v;
    check_range(p, n, a > __FLT_MAX__, a < __FLT_MIN__);
    return v;
}
MODEL long double strtold(const char *restrict s, char **restrict end) {
    USES_LOCALE;
    int n;
    const char *p = find_float(s, end, &n);
    if (n == 0) return 0;
    long double v;
    __rp_parse_long_double(&v, p, (size_t)n);
    long double a = v < 0 ? -v : v;
    check_range(p, n, a > __LDBL_MAX__, a < __LDBL_MIN__);
    return v;
}
MODEL double strtod_l(const char *restrict s, char **restrict end, locale_t l UNUSED) { return strtod(s, end); }
MODEL float strtof_l(const char *restrict s, char **restrict end, locale_t l UNUSED) { return strtof(s, end); }
MODEL long double strtold_l(const char *restrict s, char **restrict end, locale_t l UNUSED) { return strtold(s, end); }
MODEL double __strtod_l(const char *restrict s, char **restrict end, locale_t l UNUSED) { return strtod(s, end); }
MODEL float __strtof_l(const char *restrict s, char **restrict end, locale_t l UNUSED) { return strtof(s, end); }
MODEL double atof(const char *s) { return strtod(s, NULL); }
