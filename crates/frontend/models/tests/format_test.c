/* format_test.c: the printf family against glibc, over the product of flags, widths, precisions, lengths and values. */
#define _GNU_SOURCE
#include "shim.h"
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

MODELLED(snprintf);
MODELLED(vsnprintf);
MODELLED(printf);
MODELLED(vprintf);
MODELLED(sprintf);
MODELLED(asprintf);
MODELLED(free);
MODELLED(puts);
MODELLED(putchar);

/* Both forms, to memory and to a stream, must give what glibc gives. */
__attribute__((format(printf, 1, 2))) static void same(const char *format, ...) {
    char want[8192], got[8192];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(want, sizeof want, format, args);
    va_end(args);
    va_start(args, format);
    int k = m_vsnprintf(got, sizeof got, format, args);
    va_end(args);
    CHECK(n == k && strcmp(want, got) == 0, "format \"%s\": want %d \"%s\", got %d \"%s\"", format, n, want, k, got);
    shim_output_length = 0;
    va_start(args, format);
    k = m_vprintf(format, args);
    va_end(args);
    CHECK(n == k && shim_output_length == (size_t)n && memcmp(want, shim_output, (size_t)n) == 0,
          "stream \"%s\": want %d \"%s\", got %d \"%.*s\"", format, n, want, k, (int)shim_output_length, shim_output);
}
#pragma clang diagnostic ignored "-Wformat"
#pragma clang diagnostic ignored "-Wformat-security"
#pragma clang diagnostic ignored "-Wformat-nonliteral"

static const char *const flags[] = {"", "-", "+", " ", "#", "0", "-0", "+0", " 0", "#0", "-#", "+ ", "-+", "#+0", "# -"};
static const char *const widths[] = {"", "1", "5", "17", "40"};
static const char *const precisions[] = {"", ".", ".0", ".1", ".4", ".20", ".33"};

static void integers(void) {
    static const long long values[] = {0, 1, -1, 7, 10, 99, -100, 255, 256, 12345, INT_MAX, INT_MIN, UINT_MAX, LLONG_MAX, LLONG_MIN};
    static const struct { const char *text; int bits; } lengths[] = {{"", 32}, {"hh", 32}, {"h", 32}, {"l", sizeof(long) * 8}, {"ll", 64}, {"j", 64}, {"z", sizeof(size_t) * 8}, {"t", sizeof(ptrdiff_t) * 8}};
    char format[64];
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
    for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++)
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
    for (const char *c = "diuoxX"; *c; c++) {
        snprintf(format, sizeof format, "<%%%s%s%s%s%c>", flags[f], widths[w], precisions[p], lengths[l].text, *c);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) {
            if (lengths[l].bits == 64) same(format, values[v]);
            else same(format, (int)values[v]);
        }
    }
}
static void floats(void) {
    static const double values[] = {0.0, -0.0, 1.0, -1.5, 0.1, 3.14159265358979, 1e10, 1e-10, 123456789.0, 1e300, 5e-324, INFINITY, -INFINITY, NAN, 0.5, 99.9999999};
    char format[64];
    for (size_t f = 0; f < sizeof flags / sizeof *flags; f++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
    for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++)
    for (const char *c = "fFeEgGaA"; *c; c++) {
        snprintf(format, sizeof format, "<%%%s%s%s%c>", flags[f], widths[w], precisions[p], *c);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) same(format, values[v]);
        snprintf(format, sizeof format, "<%%%s%s%sL%c>", flags[f], widths[w], precisions[p], *c);
        for (size_t v = 0; v < sizeof values / sizeof *values; v++) same(format, (long double)values[v] * 3);
    }
}
static void text(void) {
    static const char *const values[] = {"", "a", "hello", "a longer text than most widths"};
    char format[64];
    for (size_t f = 0; f < 2; f++)
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
    for (size_t p = 0; p < sizeof precisions / sizeof *precisions; p++) {
        snprintf(format, sizeof format, "[%%%s%s%ss]", flags[f], widths[w], precisions[p]);
        for (size_t v = 0; v < 4; v++) same(format, values[v]);
        same(format, (char *)NULL);
        snprintf(format, sizeof format, "[%%%s%s%sls]", flags[f], widths[w], precisions[p]);
        same(format, L"wide text");
        snprintf(format, sizeof format, "[%%%s%sc]", flags[f], widths[w]);
        same(format, 'x');
        snprintf(format, sizeof format, "[%%%s%slc]", flags[f], widths[w]);
        same(format, L'w');
        snprintf(format, sizeof format, "[%%%s%sp]", flags[f], widths[w]);
        same(format, (void *)0);
        same(format, (void *)0x1234abcd);
    }
}
static void others(void) {
    same("plain");
    same("100%%");
    same("%d %s %c|%5.2f|%-5d|%05d", 1, "two", '3', 4.0, 5, 6);
    same("%*d|%-*d|%.*f|%*.*s", 7, 42, -7, 43, 3, 2.0, 10, 2, "abc");
    same("%*d", -9, 5);
    same("%.*d", -1, 5);
    same("%2$s %1$s", "world", "hello");
    same("%3$d %1$*2$d %3$ld", 5, 8, 9L);
    same("%1$s %1$s %2$g", "again", 2.5);
    errno = ENOENT;
    extern int *m___errno_location(void);
    *m___errno_location() = ENOENT;
    same("%m");
    same("%zu %td %jd %hhd %hd", sizeof(int), (ptrdiff_t)-3, (intmax_t)-4, 300, 70000);
    same("%" PRIu64 " %" PRId8 " %" PRIx32, UINT64_MAX, INT8_MIN, 0xdeadbeefu);

    int want = -1, got = -1;
    char buffer[32];
    snprintf(buffer, sizeof buffer, "abc%nxyz", &want);
    m_snprintf(buffer, sizeof buffer, "abc%nxyz", &got);
    CHECK(want == got, "%%n: want %d, got %d", want, got);

    for (size_t size = 0; size < 8; size++) {
        char a[10] = "zzzzzzzzz", b[10] = "zzzzzzzzz";
        int n = snprintf(a, size, "%d-%s", 12, "xyz"), k = m_snprintf(b, size, "%d-%s", 12, "xyz");
        CHECK(n == k && memcmp(a, b, sizeof a) == 0, "snprintf cut to %zu: \"%s\" and \"%s\"", size, a, b);
    }
    char *allocated;
    int n = m_asprintf(&allocated, "%d %s", 5, "five");
    CHECK(n == 6 && strcmp(allocated, "5 five") == 0, "asprintf: %d \"%s\"", n, allocated);
    m_free(allocated);
    shim_output_length = 0;
    m_puts("line");
    m_putchar('!');
    CHECK(shim_output_length == 6 && memcmp(shim_output, "line\n!", 6) == 0, "puts and putchar");
    CHECK(ENDING(m_printf("%y", 1)) == 50, "an unknown conversion is not guessed");
}
int main(void) {
    integers();
    floats();
    text();
    others();
    CHECK(shim_live_objects == 0, "%d objects left over", shim_live_objects);
    return shim_end();
}
