//@ verdict: race
//@ race: total 14 17
//@ about: atomic in one place, critical in the other: they do not exclude each other
#include <stdio.h>

int main(void)
{
    int total = 0;
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < 100; i++) {
#pragma omp atomic
            total += i;
        }
#pragma omp critical
        total -= 1;
    }
    printf("%d\n", total);
    return 0;
}
