//@ verdict: race-free
//@ about: a variadic function called in every iteration: its arguments are the iteration's own
#include <stdarg.h>

static int largest(int n, ...)
{
    va_list list, copy;
    va_start(list, n);
    va_copy(copy, list);
    int most = va_arg(list, int);
    for (int i = 1; i < n; i++) {
        int next = va_arg(list, int);
        if (next > most)
            most = next;
    }
    most += va_arg(copy, int) - va_arg(copy, int);
    va_end(copy);
    va_end(list);
    return most;
}

int main(void)
{
    int a[100];
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 100; i++)
        a[i] = largest(3, i, 50, 99 - i);
    return a[99] != 148;
}
