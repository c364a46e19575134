//@ verdict: race
//@ race: total|*into 8 8
//@ about: parallel: the shared variable is reached by a pointer that is passed down
#include <stdio.h>

static void add(int *into, int v)
{
    *into += v;
}

static void dispatch(void (*f)(int *, int), int *into, int v)
{
    f(into, v);
}

int main(void)
{
    int total = 0;
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        dispatch(add, &total, i);
    printf("%d\n", total);
    return 0;
}
