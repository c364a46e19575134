//@ verdict: race
//@ race: slot|*p 8 8
//@ about: task: firstprivate pointers to one variable
#include <stdio.h>

static void put(int *p, int v)
{
    *p = v;
}

int main(void)
{
    int slot = 0;
    int *p = &slot;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task firstprivate(p)
        put(p, i);
    }
    printf("%d\n", slot);
    return 0;
}
