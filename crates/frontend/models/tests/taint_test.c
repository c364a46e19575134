/* taint_test.c: printing a value must not branch on it, nor use it as an address (rp.h). Built with MemorySanitizer, which
 * stops at any branch on a poisoned value; the primitives here poison what the machine would taint. */
#define _GNU_SOURCE
#include "../rp.h"
#include <sanitizer/msan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

extern int m_printf(const char *, ...), m_rand(void), m_abs(int), m_rand_r(unsigned *);
extern long m_random(void);
extern double m_drand48(void);
extern time_t m_time(time_t *);
extern int m_clock_gettime(clockid_t, struct timespec *);
extern int m_getchar(void), m___isoc99_scanf(const char *, ...);
extern int m_putchar(int);

void __rp_output(int fd, const void *p, size_t n) { (void)fd, (void)p, (void)n; }
void __rp_havoc(void *p, size_t n) {
    memset(p, 0x5A, n);
    __msan_poison(p, n);
}
int __rp_format_float(char *out, size_t cap, const long double *v, int conversion, int flags, int precision) {
    (void)cap, (void)v, (void)conversion, (void)flags, (void)precision;
    memcpy(out, "1.50", 4);
    __msan_poison(out, 4);
    int n = 4;
    __msan_poison(&n, sizeof n);
    return n;
}
void *__rp_alloc(size_t n, size_t align, int zeroed, int family) {
    (void)align, (void)zeroed, (void)family;
    return malloc(n);
}
void __rp_dealloc(void *p, int family) {
    (void)family;
    free(p);
}
_Noreturn void __rp_unsupported(const char *what) { abort(); }
_Noreturn void __rp_not_modelled(const char *function) { abort(); }
_Noreturn void __rp_defect(int kind, const char *message) { abort(); }

int main(int argc, char **argv) {
    int i;
    long long l;
    double d = 1.5;
    long double ld = 1.5;
    char c = 'x';
    (void)argv;
    __rp_havoc(&i, sizeof i);
    __rp_havoc(&l, sizeof l);
    __msan_poison(&d, sizeof d);
    __msan_poison(&ld, sizeof ld);
    __msan_poison(&c, 1);
    static const char *const integers[] = {"%d", "%5d", "%-20d", "%+d", "% d", "%05d", "%.3d", "%20.10d", "%u", "%x", "%#x", "%#o", "%#010X", "%-#30x", "%hhd", "%hu", "%c", "%3c"};
    for (size_t k = 0; k < sizeof integers / sizeof *integers; k++) m_printf(integers[k], i);
    m_printf("%lld %llu %zx %jd", l, l, (size_t)l, l);
    m_printf("%f %10.3f %-20g %+e %020f %a %Lf %#.0f", d, d, d, d, d, d, ld, d);
    m_putchar(c);
    int sum = m_rand() + (int)m_random() + m_abs(i) + m_getchar();
    unsigned state = 1;
    sum += m_rand_r(&state);
    struct timespec now;
    m_clock_gettime(0, &now);
    time_t t = m_time(NULL) + now.tv_nsec;
    double x = m_drand48();
    char three[3];
    m___isoc99_scanf("%d %lf %3c", &i, &d, three);
    m_printf("%d %ld %g %d", sum, (long)t, x, i);
    if (argc > 1 && i == 3) puts("a branch on a poisoned value, for the test of this test");
    puts("no branch on a value, 0 failures");
    return 0;
}
