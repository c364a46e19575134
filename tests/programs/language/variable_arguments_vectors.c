//@ verdict: race-free
//@ about: structures of floats and vectors as variable arguments, mixed with others
#include <assert.h>
#include <complex.h>
#include <stdarg.h>

struct two { float a, b; };
struct three { float a, b, c; };
struct mixed { double d; int i; };
typedef float vec4 __attribute__((vector_size(16)));

static void take(int n, ...)
{
    va_list list;
    va_start(list, n);
    assert(va_arg(list, int) == 7);
    struct two two = va_arg(list, struct two);
    assert(two.a == 1 && two.b == 2);
    assert(va_arg(list, double) == 3);
    struct three three = va_arg(list, struct three);
    assert(three.a == 4 && three.b == 5 && three.c == 6);
    vec4 vec = va_arg(list, vec4);
    assert(vec[0] == 7 && vec[3] == 10);
    float _Complex z = va_arg(list, float _Complex);
    assert(crealf(z) == 11 && cimagf(z) == 12);
    struct mixed mixed = va_arg(list, struct mixed);
    assert(mixed.d == 13 && mixed.i == 14);
    assert(va_arg(list, long) == 15);
    va_end(list);
}
int main(void)
{
    take(8, 7, (struct two){1, 2}, 3.0, (struct three){4, 5, 6}, (vec4){7, 8, 9, 10}, (float _Complex)(11 + 12 * I),
         (struct mixed){13, 14}, 15L);
    return 0;
}
