//@ verdict: race-free
//@ about: number parsing, sorting, searching, division and environment-free parts of stdlib.h
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static int by_length(const void *a, const void *b)
{
    return (int)strlen(*(char *const *)a) - (int)strlen(*(char *const *)b);
}

int main(void)
{
    char *end;
    assert(atoi("  -42abc") == -42 && atol("123456789") == 123456789L && atoll("-1") == -1);
    assert(strtol("0x1fZ", &end, 16) == 31 && *end == 'Z');
    assert(strtol("0x1f", NULL, 0) == 31 && strtol("017", NULL, 0) == 15 && strtol("z", NULL, 36) == 35);
    assert(strtoul("4294967295", &end, 10) == 4294967295ul && *end == 0);
    assert(strtoll("-9223372036854775808", NULL, 10) == LLONG_MIN);
    errno = 0;
    assert(strtoll("99999999999999999999", NULL, 10) == LLONG_MAX && errno == ERANGE);
    assert(strtol("none", &end, 10) == 0 && *end == 'n');
    assert(strtoull("18446744073709551615", NULL, 10) == ULLONG_MAX);
    assert(strtoimax("-77", NULL, 10) == -77);
    assert(strtod("  3.25e2x", &end) == 325.0 && *end == 'x');
    assert(atof("-0.5") == -0.5 && strtof("1.5", NULL) == 1.5f);
    assert(abs(-5) == 5 && labs(-5L) == 5 && llabs(-(1LL << 40)) == 1LL << 40);
    div_t d = div(-17, 5);
    assert(d.quot == -3 && d.rem == -2);
    ldiv_t ld = ldiv(17L, 5L);
    lldiv_t lld = lldiv(1LL << 40, 3);
    assert(ld.quot == 3 && ld.rem == 2 && lld.quot == 366503875925LL && lld.rem == 1);
    int v[] = {5, -1, 9, 3, 3, 0, 7};
    qsort(v, 7, sizeof v[0], by_value);
    for (int i = 1; i < 7; i++)
        assert(v[i - 1] <= v[i]);
    int key = 7, missing = 4;
    int *found = bsearch(&key, v, 7, sizeof v[0], by_value);
    assert(found && *found == 7 && !bsearch(&missing, v, 7, sizeof v[0], by_value));
    char *words[] = {"three", "a", "four", "to"};
    qsort(words, 4, sizeof words[0], by_length);
    assert(strcmp(words[0], "a") == 0 && strcmp(words[1], "to") == 0 && strcmp(words[3], "three") == 0);
    return 0;
}
