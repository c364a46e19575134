//@ verdict: race-free
//@ about: va_arg of int, double, long long, pointers and structs; va_copy; passing va_list on
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct pair {
    int x, y;
};
struct big {
    long a, b, c;
};

static double total(const char *types, ...)
{
    va_list ap;
    double sum = 0;
    va_start(ap, types);
    for (; *types; types++) {
        switch (*types) {
        case 'i':
            sum += va_arg(ap, int);
            break;
        case 'd':
            sum += va_arg(ap, double);
            break;
        case 'l':
            sum += (double)va_arg(ap, long long);
            break;
        case 's':
            sum += (double)strlen(va_arg(ap, const char *));
            break;
        case 'p': {
            struct pair p = va_arg(ap, struct pair);
            sum += p.x + p.y;
            break;
        }
        case 'b': {
            struct big b = va_arg(ap, struct big);
            sum += (double)(b.a + b.b + b.c);
            break;
        }
        }
    }
    va_end(ap);
    return sum;
}

static int twice(int n, ...)
{
    va_list ap, again;
    va_start(ap, n);
    va_copy(again, ap);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(ap, int);
    for (int i = 0; i < n; i++)
        s += va_arg(again, int);
    va_end(again);
    va_end(ap);
    return s;
}

static int format(char *out, size_t size, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    int r = vsnprintf(out, size, fmt, ap);
    va_end(ap);
    return r;
}

int main(void)
{
    assert(total("") == 0);
    assert(total("idls", 1, 2.5, 1LL << 33, "four") == 8589934599.5);
    assert(total("iiiiiiii", 1, 2, 3, 4, 5, 6, 7, 8) == 36);
    assert(total("dddddddddd", 1., 2., 3., 4., 5., 6., 7., 8., 9., 10.) == 55);
    assert(total("pibd", (struct pair){3, 4}, 10, (struct big){100, 200, 300}, 0.25) == 617.25);
    assert(total("if", 1) == 1 && total("d", (double)1.5f) == 1.5);
    assert(twice(3, 1, 10, 100) == 222);
    char buffer[32];
    assert(format(buffer, sizeof buffer, "%d-%s", 42, "x") == 4 && strcmp(buffer, "42-x") == 0);
    return 0;
}
