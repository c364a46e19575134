//@ verdict: defect
//@ defect: invalid-call 15
//@ about: a function is called through a pointer of another type
#include <stdlib.h>

static double half(double x)
{
    return x / 2;
}

typedef int (*int_function)(int, int);

static int apply(int_function f)
{
    return f(1, 2);
}

int main(void)
{
    return apply((int_function)(void (*)(void))half);
}
