//@ verdict: race-free
//@ about: the conversions of printf, checked through snprintf; plain output functions
#include <assert.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static char buffer[64];

#define check(expected, ...) \
    assert(snprintf(buffer, sizeof buffer, __VA_ARGS__) == (int)strlen(expected) && strcmp(buffer, expected) == 0)

int main(void)
{
    check("42 -7 +3", "%d %i %+d", 42, -7, 3);
    check("   42|42   |00042", "%5d|%-5d|%05d", 42, 42, 42);
    check("  007|7", "%5.3d|%.0d", 7, 7);
    check("ff FF 0xff 377 0377", "%x %X %#x %o %#o", 255, 255, 255, 255, 255);
    check("4294967295", "%u", 4294967295u);
    check("-1234567890123 99", "%lld %hhd", -1234567890123LL, 99);
    check("18446744073709551615", "%" PRIu64, UINT64_MAX);
    check("7 8 9", "%zu %td %jd", (size_t)7, (ptrdiff_t)8, (intmax_t)9);
    check("a|  b|c  ", "%c|%3c|%-3c", 'a', 'b', 'c');
    check("text|te|   text|text   ", "%s|%.2s|%7s|%-7s", "text", "text", "text", "text");
    check("3.140000 3.1 3 3.14e+00", "%f %.1f %.0f %.2e", 3.14, 3.14, 3.14, 3.14);
    check("0.5 1e-07 100000 1e+06", "%g %g %g %g", 0.5, 1e-7, 1e5, 1e6);
    check("  -2.50|+1.00|00001.50", "%7.2f|%+.2f|%08.2f", -2.5, 1.0, 1.5);
    check("inf -inf nan", "%f %f %f", 1.0 / 0.0, -1.0 / 0.0, __builtin_nan(""));
    check("100%", "%d%%", 100);
    check("   5|5.00", "%*d|%.*f", 4, 5, 2, 5.0);
    check(" 5", "% d", 5);
    check("1.5", "%Lg", 1.5L);
    int written = 0;
    snprintf(buffer, sizeof buffer, "abc%n", &written);
    assert(written == 3);
    assert(snprintf(buffer, 4, "%s", "truncated") == 9 && strcmp(buffer, "tru") == 0);
    assert(sprintf(buffer, "%s-%d", "x", 1) == 3);
    assert(snprintf(NULL, 0, "%d", 12345) == 5);
    assert(printf("%s\n", "to the terminal") == 16);
    assert(puts("line") >= 0 && putchar('c') == 'c' && fputs("s\n", stdout) >= 0);
    assert(fprintf(stderr, "%d\n", 1) == 2 && fputc('\n', stderr) == '\n');
    assert(fwrite("xy\n", 1, 3, stdout) == 3 && fflush(stdout) == 0);
    return 0;
}
