//@ verdict: race
//@ race: total 9 9
//@ about: a variadic function that adds up its arguments in a global variable
#include <stdarg.h>
static int total;

static void add(int n, ...) { va_list list; va_start(list, n);
    for (int i = 0; i < n; i++)
        total += va_arg(list, int);
    va_end(list);
}

int main(void)
{
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        add(2, i, 1);
    return 0;
}
