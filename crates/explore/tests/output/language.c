#include <complex.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point { short x, y; double w; };
struct flags { unsigned a : 3, b : 5; int c : 7; unsigned long d : 40; };
union pun { float f; uint32_t u; unsigned char b[4]; };
enum color { RED = 1, GREEN = 4, BLUE = -2 };
static struct point mid(struct point a, struct point b) { return (struct point){(a.x + b.x) / 2, (a.y + b.y) / 2, a.w * b.w}; }
static long sum(int n, ...) { va_list ap, again; va_start(ap, n); va_copy(again, ap); long s = 0; for (int i = 0; i < n; i++) s += va_arg(ap, int); s += 100 * va_arg(again, int); va_end(again); va_end(ap); return s; }
static double mix(const char *kinds, ...) { va_list ap; va_start(ap, kinds); double r = 0; for (; *kinds; kinds++) switch (*kinds) { case 'i': r += va_arg(ap, int); break; case 'd': r += va_arg(ap, double); break; case 'l': r += (double)va_arg(ap, long long); break; case 'L': r += (double)va_arg(ap, long double); break; case 'p': r += va_arg(ap, struct point).w; break; } va_end(ap); return r; }
static int ackermann(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1)); }
static int solve(int n, int row, unsigned cols, unsigned d1, unsigned d2) { if (row == n) return 1; int c = 0; for (int i = 0; i < n; i++) { unsigned a = 1u << i, b = 1u << (row + i), d = 1u << (row - i + n); if ((cols & a) || (d1 & b) || (d2 & d)) continue; c += solve(n, row + 1, cols | a, d1 | b, d2 | d); } return c; }
static int by_value(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static const struct { const char *name; op f; } table[] = {{"add", add}, {"sub", sub}};
static void vla(int n) { int m[n][n + 1]; for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) m[i][j] = i * j; int t = 0; for (int i = 0; i < n; i++) t += m[i][n]; printf("vla %d %zu\n", t, sizeof m); }
static int jump(int i) { static void *const labels[] = {&&zero, &&one, &&two}; goto *labels[i]; zero: return 10; one: return 11; two: return 12; }

int main(void) {
    struct point p = mid((struct point){2, 4, 1.5}, (struct point){6, 9, 2.0});
    printf("%d %d %g\n", p.x, p.y, p.w);
    struct flags f = {7, 33, -5, 1ul << 39}; f.a++; f.c *= 3; f.d |= 5;
    printf("%u %u %d %lu %zu\n", f.a, f.b, f.c, (unsigned long)f.d, sizeof f);
    union pun u = {.f = -1.5f}; printf("%08" PRIx32 " %d\n", u.u, u.b[3]);
    printf("%ld %g %d %d\n", sum(3, 1, 2, 3), mix("idlLp", 1, 2.5, 3LL, 4.25L, p), ackermann(2, 3), solve(6, 0, 0, 0, 0));
    int v[] = {5, -3, 9, 0, INT_MAX, INT_MIN, 2}; qsort(v, 7, sizeof *v, by_value); for (int i = 0; i < 7; i++) printf("%d ", v[i]); int key = 9; printf("%td\n", (int *)bsearch(&key, v, 7, sizeof *v, by_value) - v);
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) printf("%s %d\n", table[i].name, table[i].f(7, 3));
    vla(4); printf("%d %d %d\n", jump(0), jump(1), jump(2));
    printf("%d %d %d %d %u\n", -7 / 2, -7 % 2, 7 >> 1, -7 >> 1, -7u >> 28);
    printf("%lld %llu %hhd %hu %x %o %X\n", LLONG_MIN, ULLONG_MAX, (signed char)200, (unsigned short)70000, 0xdeadbeef, 0755, 48879);
    printf("%f %e %g %G %a %.0f %.10g %+.2f % d %05d %-5d| %*d %.*f\n", 1.0 / 3, 1e-300, 1e20, 1e-10, 0.1, 2.5, M_PI, -0.0, 5, 42, 42, 6, 7, 2, 9.999);
    printf("%Lf %Lg %Le %La\n", 1.0L / 3, 1e4000L, -2.5L, 1.0L);
    printf("%f %f %f %f\n", INFINITY, -INFINITY, NAN, DBL_MAX / 1e300);
    printf("%d %d %d %ld\n", (int)3.99, (int)-3.99, (int)1e9f, lround(2.5));
    printf("%.3f %.3f %.3f %.3f %.3f %.3f\n", sin(1), exp(1), pow(2, 0.5), fmod(7.5, 2), atan2(1, 2), cbrt(27));
    printf("%.2f %.2f\n", creal(cexp(I * M_PI)), cimag((1 + 2 * I) * (3 - I)));
    unsigned __int128 big = (unsigned __int128)ULLONG_MAX * 3; printf("%llx %llx\n", (unsigned long long)(big >> 64), (unsigned long long)big);
    _Bool b = 0.5; printf("%d %d %zu %zu\n", b, (bool)2 + 1, sizeof(long double), offsetof(struct point, w));
    printf("%s %d\n", _Generic(1.0f, float: "float", default: "other"), _Generic('a', int: 1, char: 2));
    int x = 5, y = x++ + 2; y <<= 3; y ^= 0x55; y = y > 3 ? (x, y) : 0; printf("%d %d %d %d\n", x, y, !x, ~x);
    switch (BLUE) { case RED: puts("red"); break; case BLUE: puts("blue"); /* fall through */ default: puts("default"); }
    char s[32] = "abc"; strcat(s, "def"); memmove(s + 1, s, 5); printf("%s %zu %s %d %s\n", s, strspn(s, "abc"), strchr(s, 'd'), strcmp("a", "b") < 0, strrchr("a/b/c", '/'));
    const char *const *names = (const char *const[]){"x", "y", NULL}; while (*names) printf("%s;", *names++); puts("");
    double d = 0; for (int i = 0; i < 10; i++) d += 0.1; printf("%.17g %d\n", d, d == 1.0);
    float fl = 16777216.0f; fl += 1.0f; printf("%.1f %d\n", fl, (int)(0.1f * 10));
    int r; printf("%d %d\n", __builtin_add_overflow(INT_MAX, 1, &r), r); printf("%d %d %d\n", __builtin_popcount(255), __builtin_clz(1), __builtin_ctz(8));
    int exponent; double m = frexp(48.0, &exponent); printf("%g %d %g %g\n", m, exponent, ldexp(0.75, 3), fabs(-2.5));
    div_t q = div(-17, 5); printf("%d %d %ld %d\n", q.quot, q.rem, labs(-5L), atoi("  42x")); char *end; printf("%ld %s\n", strtol("123abc", &end, 10), end);
    return 7;
}
