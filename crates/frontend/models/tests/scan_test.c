/* scan_test.c: strtol, strtod and sscanf families against glibc. */
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

MODELLED(strtol); MODELLED(strtoll); MODELLED(strtoul); MODELLED(strtoull); MODELLED(strtod); MODELLED(strtof);
MODELLED(strtold); MODELLED(atoi); MODELLED(atol); MODELLED(atof); MODELLED(free);
extern int m___isoc99_sscanf(const char *, const char *, ...);
extern int m___isoc99_scanf(const char *, ...);
extern int *m___errno_location(void);

static const char *const integers[] = {"", " ", "0", "1", "-1", "+7", "  42", "\t-13x", "0x10", "0X1fg", "0x", "0xg", "-0x8", "010", "08", "z", "Zz9", "--1",
    "+-1", "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296", "9223372036854775807", "9223372036854775808",
    "-9223372036854775808", "-9223372036854775809", "18446744073709551615", "18446744073709551616", "-18446744073709551615", "99999999999999999999999",
    "-99999999999999999999999", "1010102", "0b11", "- 1", "12 34", "ffffffffffffffff", "7fffffffffffffffz"};
static const char *const floats[] = {"", " ", ".", "0", "-0", "1", "1.", ".5", "-.5e1", "1e", "1e+", "1e5", "1E-5x", "1e400", "-1e400", "1e-400", "0x1p3", "0x.8p1", "0x",
    "0xg", "0x1.8", "inf", "-INF", "infinity", "infinit", "nan", "nan(1)", "nan(", "NaN(ab_1)z", "  3.25abc", "+7.5", "1.7976931348623157e308", "2.2250738585072014e-308",
    "4.9e-324", "3.4028235e38", "1e39", "1e-46", "0x1p-1074", "0x1p1024", "123456789012345678901234567890", "0.1", "1e5.5", "--1", "+.e1", "0e999", "0x0p9999"};

static void numbers(void) {
    static const int bases[] = {0, 2, 3, 8, 10, 16, 35, 36};
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        for (size_t b = 0; b < sizeof bases / sizeof *bases; b++) {
            const char *s = integers[i];
            char *p, *q;
#define SAME(f, T)                                                                                                    \
    do {                                                                                                              \
        errno = *m___errno_location() = 0;                                                                            \
        T x = f(s, &p, bases[b]), y = m_##f(s, &q, bases[b]);                                                         \
        CHECK(x == y && p == q && errno == *m___errno_location(), #f " \"%s\" base %d: %lld %d, %lld %d", s, bases[b], \
              (long long)x, (int)(p - s), (long long)y, (int)(q - s));                                                \
    } while (0)
            SAME(strtol, long); SAME(strtoll, long long); SAME(strtoul, unsigned long); SAME(strtoull, unsigned long long);
        }
    for (size_t i = 0; i < sizeof integers / sizeof *integers; i++)
        CHECK(atol(integers[i]) == m_atol(integers[i]) && atoi(integers[i]) == m_atoi(integers[i]), "atol %s", integers[i]);
    *m___errno_location() = 0;
    CHECK(m_strtol("1", NULL, 1) == 0 && *m___errno_location() == EINVAL, "strtol of a bad base");
    for (size_t i = 0; i < sizeof floats / sizeof *floats; i++) {
        const char *s = floats[i];
        char *p, *q;
#undef SAME
#define SAME(f, T)                                                                                                 \
    do {                                                                                                           \
        errno = *m___errno_location() = 0;                                                                         \
        T x = f(s, &p), y = m_##f(s, &q);                                                                          \
        CHECK(((isnan(x) && isnan(y)) || (x == y && signbit(x) == signbit(y))) && p == q,                          \
              #f " \"%s\": %g %d, %g %d", s, (double)x, (int)(p - s), (double)y, (int)(q - s));                    \
        /* an exact subnormal: glibc does not call it an underflow, which the standard leaves open */               \
        CHECK(errno == *m___errno_location() || strcmp(s, "0x1p-1074") == 0, #f " \"%s\" errno %d, %d", s, errno, *m___errno_location());         \
    } while (0)
        SAME(strtod, double); SAME(strtof, float); SAME(strtold, long double);
    }
    CHECK(m_atof("2.5x") == 2.5, "atof");
}

static const char *const inputs[] = {"", " ", "12", " 12 34", "-5,6", "0x1F 010", "abc", "abc def", "  abc", "12abc", "3.5e2 x", "1e+", "0x", "0xg", "%5", " % 5", "a,b", "[x]",
    "]-a^", "99999999999999999999", "-99999999999999999999", "4294967296", "(nil)", "0xdeadbeef", "nan inf", "a1b2c3", "  \t\n9", "1:2:3", "key=value", "12.5.6", "--3", "+4", "- 4", "infinity!", "1e5e", "ab]cd", "5 ", "2147483648"};

/* Compares results, bytes stored and errno for formats with up to three targets of any type. */
static void one(const char *input, const char *format) {
    char a[3][64], b[3][64];
    memset(a, '#', sizeof a);
    memset(b, '#', sizeof b);
    int n = sscanf(input, format, a[0], a[1], a[2]), m = m___isoc99_sscanf(input, format, b[0], b[1], b[2]);
    CHECK(n == m && memcmp(a, b, sizeof a) == 0, "sscanf(\"%s\", \"%s\"): %d, %d; %.8s|%.8s|%.8s, %.8s|%.8s|%.8s", input, format, n, m, a[0], a[1], a[2], b[0], b[1], b[2]);
}
static void scanning(void) {
    static const char *const formats[] = {"%d", "%d%d", "%d %d", "%d,%d", "%i", "%i %i", "%x", "%x %o", "%u", "%3d", "%2d%2d%2d", "%*d%d", "%hhd", "%hd", "%ld", "%lld", "%lu",
        "%zu", "%jd", "%td", "%s", "%s%s", "%3s%s", "%*s%s", "%c", "%c%c", "%3c", " %c", "%*c%c", "%[a-c]", "%[^,]", "%[^ ] %s", "%3[a-z]%s", "%[]-]", "%[^]]]%c", "%[a-]%s", "%*[a-z]%d",
        "%f", "%lf", "%f%s", "%4f%s", "%g", "%d%n", "%s%n", "%n", "%%%d", " %% %d", "abc%n", "abc %s", "a%s", "%d:%d:%d", "%[^=]=%s", "%p", "%p%n", "%d%c", "%5c%n", "%e %e", "%a", "%ls", "%lc", "%l[a-z]", "%1d%1d%1d", "%2x%2x%2x", "%i%c%i", "x%d", "%d x", "%d%%", "%d %n", "   %d", "%[0-9]%[a-z]%d", "%2s%n%d", "%1i%n", "%2i%n", "%3x%n"};
    for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) one(inputs[i], formats[f]);
    char *text;
    CHECK(m___isoc99_sscanf("  hello there", "%ms", &text) == 1 && strcmp(text, "hello") == 0, "%%ms");
    m_free(text);
    CHECK(m___isoc99_sscanf("abc123", "%m[a-z]", &text) == 1 && strcmp(text, "abc") == 0, "%%m[");
    m_free(text);
    double d;
    long double ld;
    CHECK(m___isoc99_sscanf("2.5 0.1", "%lf %Lf", &d, &ld) == 2 && d == 2.5 && ld == 0.1L, "%%lf %%Lf");
    int v;
    char word[9];
    word[8] = 'x';
    CHECK(m___isoc99_scanf("%d %*d %8s", &v, word) == 2 && word[8] == '\0', "scanf stores arbitrary values");
    CHECK(ENDING(m___isoc99_scanf("%s", word)) == 50, "scanf of an unbounded string");
}
int main(void) {
    numbers();
    scanning();
    CHECK(shim_live_objects == 0, "%d objects left over", shim_live_objects);
    return shim_end();
}
