//@ verdict: race
//@ race: progress 11 11
//@ about: for: volatile protects nothing
#include <stdio.h>

int main(void)
{
    volatile int progress = 0;
#pragma omp parallel for
    for (int i = 0; i < 100; i++)
        progress = progress + 1;
    printf("%d\n", progress);
    return 0;
}
