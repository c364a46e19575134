/* stdlib_test.c: sorting, memory, environment, options, calendar, random numbers, ending, against glibc or the standard. */
#define _GNU_SOURCE
#include "shim.h"
#include <assert.h>
#include <complex.h>
#include <errno.h>
#include <getopt.h>
#include <stdint.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

MODELLED(qsort); MODELLED(bsearch); MODELLED(malloc); MODELLED(calloc); MODELLED(realloc); MODELLED(free);
MODELLED(aligned_alloc); MODELLED(posix_memalign); MODELLED(malloc_usable_size); MODELLED(reallocarray);
MODELLED(setenv); MODELLED(getenv); MODELLED(unsetenv); MODELLED(putenv); MODELLED(getopt); MODELLED(getopt_long);
MODELLED(getopt_long_only); MODELLED(gmtime_r); MODELLED(timegm); MODELLED(strftime); MODELLED(asctime_r); MODELLED(rand);
MODELLED(drand48); MODELLED(srand48); MODELLED(lrand48); MODELLED(mrand48); MODELLED(erand48); MODELLED(seed48); MODELLED(atexit);
MODELLED(exit); MODELLED(abort); MODELLED(on_exit); MODELLED(abs); MODELLED(div); MODELLED(__assert_fail); MODELLED(quick_exit);
MODELLED(at_quick_exit); MODELLED(nrand48); MODELLED(jrand48);
extern char *m_optarg, **m_environ;
extern int m_optind, m_opterr, m_optopt;
extern int *m___errno_location(void);
extern int m___cxa_atexit(void (*)(void *), void *, void *), m___cxa_thread_atexit(void (*)(void *), void *, void *);

struct item { int key, order; char pad[5]; };
static int by_key(const void *a, const void *b) { return ((struct item *)a)->key - ((struct item *)b)->key; }
static void sorting(void) {
    for (int n = 0; n < 60; n++) {
        struct item a[60], b[60];
        for (int i = 0; i < n; i++) a[i] = b[i] = (struct item){rand() % 10, i, "abcd"};
        qsort(a, (size_t)n, sizeof *a, by_key), m_qsort(b, (size_t)n, sizeof *b, by_key);
        CHECK(memcmp(a, b, (size_t)n * sizeof *a) == 0, "qsort of %d", n);
        for (int key = -1; key < 11; key++) {
            struct item k = {key, 0, ""}, *p = bsearch(&k, b, (size_t)n, sizeof k, by_key), *q = m_bsearch(&k, b, (size_t)n, sizeof k, by_key);
            CHECK((p == NULL) == (q == NULL) && (q == NULL || q->key == key), "bsearch");
        }
    }
}
static void memory(void) {
    int before = shim_live_objects;
    char *p = m_malloc(10);
    memcpy(p, "123456789", 10);
    p = m_realloc(p, 1000);
    CHECK(strcmp(p, "123456789") == 0 && m_malloc_usable_size(p) == 1000, "realloc keeps the bytes");
    p = m_realloc(p, 4);
    CHECK(memcmp(p, "1234", 4) == 0, "realloc to a smaller size");
    CHECK(m_realloc(p, 0) == NULL, "realloc to nothing");
    m_free(NULL);
    char *z = m_calloc(3, 7);
    for (int i = 0; i < 21; i++) CHECK(z[i] == 0, "calloc");
    m_free(z);
    CHECK(ENDING(m_free(z)) == 3, "double free");
    *m___errno_location() = 0;
    CHECK(m_calloc(SIZE_MAX, 2) == NULL && *m___errno_location() == ENOMEM, "calloc overflow");
    CHECK(m_reallocarray(NULL, SIZE_MAX / 2, 3) == NULL && m_malloc(SIZE_MAX) == NULL, "impossible sizes");
    void *q;
    CHECK(m_posix_memalign(&q, 256, 10) == 0 && (uintptr_t)q % 256 == 0, "posix_memalign");
    m_free(q);
    CHECK(m_posix_memalign(&q, 3, 10) == EINVAL && m_aligned_alloc(3, 9) == NULL, "bad alignments");
    q = m_aligned_alloc(64, 100);
    CHECK((uintptr_t)q % 64 == 0, "aligned_alloc");
    m_free(q);
    CHECK(shim_live_objects == before, "nothing is left over");
}
static void environment(void) {
    CHECK(m_getenv("PATH") == NULL, "the environment starts empty");
    CHECK(m_setenv("A", "1", 1) == 0 && m_setenv("B", "2", 1) == 0 && m_setenv("A", "3", 0) == 0, "setenv");
    CHECK(strcmp(m_getenv("A"), "1") == 0 && strcmp(m_getenv("B"), "2") == 0 && m_getenv("AB") == NULL, "getenv");
    m_setenv("A", "three", 1);
    CHECK(strcmp(m_getenv("A"), "three") == 0, "setenv overwrites");
    static char entry[] = "C=x";
    m_putenv(entry);
    entry[2] = 'y';
    CHECK(strcmp(m_getenv("C"), "y") == 0, "putenv keeps the string itself");
    m_unsetenv("A");
    CHECK(m_getenv("A") == NULL && strcmp(m_getenv("B"), "2") == 0 && m_environ[2] == NULL, "unsetenv");
    CHECK(m_setenv("A=B", "x", 1) == -1, "a name with an equals sign");
}

/* Runs both getopts over one command line and compares every step and the permuted argv. */
static int flag_x, flag_y;
static const struct option longs[] = {{"alpha", no_argument, NULL, 'a'}, {"beta", required_argument, NULL, 'b'}, {"gamma", optional_argument, NULL, 'g'},
    {"alphabet", no_argument, NULL, 'A'}, {"xflag", no_argument, &flag_x, 7}, {"v", no_argument, NULL, 'V'}, {NULL, 0, NULL, 0}};
static void options(const char *line, const char *shorts, int mode) {
    char x[200], y[200], *ax[20] = {"prog"}, *ay[20] = {"prog"};
    int n = 1;
    strcpy(x, line), strcpy(y, line);
    for (char *p = strtok(x, " "); p != NULL; p = strtok(NULL, " ")) ax[n] = p, ay[n] = y + (p - x), y[p - x + strlen(p)] = 0, n++;
    optind = m_optind = 0;
    opterr = m_opterr = 0;
    for (int i = 0; i < 30; i++) {
        int lx = -5, ly = -5, r, s;
        if (mode == 0) r = getopt(n, ax, shorts), s = m_getopt(n, ay, shorts);
        else if (mode == 1) r = getopt_long(n, ax, shorts, longs, &lx), s = m_getopt_long(n, ay, shorts, longs, &ly);
        else r = getopt_long_only(n, ax, shorts, longs, &lx), s = m_getopt_long_only(n, ay, shorts, longs, &ly);
        CHECK(r == s && optind == m_optind && lx == ly, "getopt[%d] \"%s\" \"%s\" step %d: %d %d %d, %d %d %d", mode, line, shorts, i, r, optind, lx, s, m_optind, ly);
        CHECK((optarg == NULL) == (m_optarg == NULL) && (optarg == NULL || strcmp(optarg, m_optarg) == 0), "optarg of \"%s\" step %d", line, i);
        if (r == '?' || r == ':') CHECK(optopt == m_optopt, "optopt of \"%s\" step %d: %d, %d", line, i, optopt, m_optopt);
        if (r == -1 || s == -1) break;
    }
    for (int i = 0; i < n; i++) CHECK(strcmp(ax[i], ay[i]) == 0, "getopt[%d] \"%s\" \"%s\" argv[%d]: %s, %s", mode, line, shorts, i, ax[i], ay[i]);
}
static void all_options(void) {
    static const char *const lines[] = {"", "-a", "-ab", "-b x", "-bx y", "x -a y -b z w", "-a -- -b", "-- -a", "x y z", "-z", "-b", "-ag", "-gval -a", "-", "- -a", "--alpha", "--beta=5 x", "--beta 5 x", "--beta",
        "--gamma=1 --gamma 2", "--alp", "--be=1", "--alphabet -a", "--nosuch", "--alpha=1", "--xflag q", "a b -a c d -b e f -- g -a", "-v", "-alpha", "-beta 3", "-gam=x", "-zz", "-xf", "x --alpha y --beta 1 z", "-aa -bb -a c -b d"};
    static const char *const shorts[] = {"ab:g::", ":ab:g::", "+ab:g::", "-ab:g::", "", "a:b"};
    for (size_t l = 0; l < sizeof lines / sizeof *lines; l++)
        for (size_t s = 0; s < sizeof shorts / sizeof *shorts; s++)
            for (int mode = 0; mode < 3; mode++) options(lines[l], shorts[s], mode);
}
static void calendar(void) {
    static const char format[] = "%a|%A|%b|%B|%c|%C|%d|%D|%e|%F|%g|%G|%H|%I|%j|%k|%l|%m|%M|%n|%p|%P|%r|%R|%s|%S|%t|%T|%u|%U|%V|%w|%W|%x|%X|%y|%Y|%%|%-d|%_H|%Z|%h";
    for (int i = 0; i < 60000; i++) {
        time_t t = ((time_t)rand() << 8) - ((time_t)1 << 36);
        if (i < 20000) t = (time_t)i * 86400 / 2 * 5 - 30000 * 86400L;
        struct tm a, b, c;
        gmtime_r(&t, &a), m_gmtime_r(&t, &b);
        CHECK(a.tm_year == b.tm_year && a.tm_mon == b.tm_mon && a.tm_mday == b.tm_mday && a.tm_hour == b.tm_hour && a.tm_min == b.tm_min && a.tm_sec == b.tm_sec && a.tm_wday == b.tm_wday && a.tm_yday == b.tm_yday, "gmtime %lld", (long long)t);
        c = b;
        CHECK(m_timegm(&c) == t, "timegm %lld", (long long)t);
        if (i % 4 || a.tm_year < -900) continue; /* glibc prints %C of early years with one digit, the standard with two */
        char x[800], y[800];
        size_t n = strftime(x, sizeof x, format, &a), m = m_strftime(y, sizeof y, format, &b);
        CHECK(n == m && strcmp(x, y) == 0, "strftime %lld:\n%s\n%s", (long long)t, x, y);
        if (a.tm_year < 8000) CHECK(strcmp(asctime_r(&a, x), m_asctime_r(&b, y)) == 0, "asctime %s %s", x, y);
        c = (struct tm){.tm_year = 100 + i % 50, .tm_mon = i % 40 - 20, .tm_mday = i % 90 - 30, .tm_hour = i % 70 - 30, .tm_min = i % 500 - 200, .tm_sec = i % 999 - 300};
        struct tm d = c;
        CHECK(timegm(&c) == m_timegm(&d) && c.tm_mon == d.tm_mon && c.tm_mday == d.tm_mday, "timegm carries");
    }
}
static void random_numbers(void) {
    for (int i = 0; i < 1000; i++) CHECK(m_rand() >= 0, "rand is not negative");
    for (long seed = -2; seed < 3; seed++) {
        srand48(seed), m_srand48(seed);
        unsigned short x[3] = {1, 2, (unsigned short)seed}, y[3] = {1, 2, (unsigned short)seed};
        for (int i = 0; i < 50; i++) {
            CHECK(drand48() == m_drand48() && lrand48() == m_lrand48() && mrand48() == m_mrand48(), "drand48");
            CHECK(erand48(x) == m_erand48(y) && nrand48(x) == m_nrand48(y) && jrand48(x) == m_jrand48(y) && memcmp(x, y, 6) == 0, "erand48");
        }
    }
}
/* The compiler's own helpers for * and / are the reference; NaNs are equal, infinities must be where they are. */
extern double complex m___muldc3(double, double, double, double), m___divdc3(double, double, double, double);
extern double complex __muldc3(double, double, double, double), __divdc3(double, double, double, double);
MODELLED(csqrt); MODELLED(cexp); MODELLED(cabs); MODELLED(cpow);
static int alike(double complex a, double complex b) {
    if ((isinf(creal(a)) || isinf(cimag(a))) && (isinf(creal(b)) || isinf(cimag(b)))) return 1;
    double d = cabs(a - b);
    return d <= 1e-14 * cabs(b) || d == 0 || (isnan(creal(a)) == isnan(creal(b)) && isnan(cimag(a)) == isnan(cimag(b)) && isnan(d));
}
static void complex_numbers(void) {
    static const double v[] = {0.0, -0.0, 1, -1, 2.5, -3.25, 1e300, 1e-300, INFINITY, -INFINITY, NAN};
    enum { N = sizeof v / sizeof *v };
    for (int a = 0; a < N; a++) for (int b = 0; b < N; b++) for (int c = 0; c < N; c++) for (int d = 0; d < N; d++) {
        CHECK(alike(m___muldc3(v[a], v[b], v[c], v[d]), __muldc3(v[a], v[b], v[c], v[d])), "(%g, %g) * (%g, %g)", v[a], v[b], v[c], v[d]);
        if (isnan(v[a]) || isnan(v[b])) continue; /* what overflows first is open */
        CHECK(alike(m___divdc3(v[a], v[b], v[c], v[d]), __divdc3(v[a], v[b], v[c], v[d])), "(%g, %g) / (%g, %g)", v[a], v[b], v[c], v[d]);
    }
    for (int a = 0; a < 6; a++) for (int b = 0; b < 6; b++) {
        double complex z = v[a] + v[b] * I;
        CHECK(alike(m_csqrt(z), csqrt(z)) && alike(m_cexp(z), cexp(z)) && m_cabs(z) == cabs(z), "functions of (%g, %g)", v[a], v[b]);
    }
}
static char trail[32];
static void note(char c) { trail[strlen(trail)] = c; }
static void first(void) { note('1'); }
static void second(void) { note('2'); m_atexit(first); }
static void with_arg(void *p) { note(*(char *)p); }
static void with_status(int status, void *p) { note((char)('0' + status)); note(*(char *)p); }
static void ending(void) {
    m_atexit(first);
    m_atexit(second);
    m___cxa_atexit(with_arg, "c", NULL);
    m_on_exit(with_status, "s");
    m___cxa_thread_atexit(with_arg, "t", NULL);
    m___cxa_thread_atexit(with_arg, "u", NULL);
    CHECK(ENDING(m_exit(3)) == 103, "exit's status");
    CHECK(strcmp(trail, "ut3sc211") == 0, "handlers run last first: %s", trail);
    m_at_quick_exit(first);
    trail[0] = 0, memset(trail, 0, sizeof trail);
    CHECK(ENDING(m_quick_exit(4)) == 104 && strcmp(trail, "1") == 0, "quick_exit");
    CHECK(ENDING(m_abort()) == 2, "abort");
    CHECK(ENDING(m___assert_fail("x > 0", "f.c", 3, "main")) == 1 && strcmp(shim_message, "assertion `x > 0` failed") == 0, "assert: %s", shim_message);
}
int main(void) {
    sorting();
    memory();
    environment();
    all_options();
    calendar();
    random_numbers();
    complex_numbers();
    ending();
    for (int v = -5; v < 6; v++) CHECK(m_abs(v) == abs(v), "abs %d", v);
    CHECK(m_div(-7, 2).quot == -3 && m_div(-7, 2).rem == -1, "div");
    return shim_end();
}
