//@ verdict: race
//@ race: size 15 19
//@ about: critical: the writers are protected, a later loop reads without a barrier in between
#include <stdio.h>
#define N 60

int main(void)
{
    int size = 0, seen[N];
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < N; i++) {
#pragma omp critical
            size += i % 3;
        }
#pragma omp for
        for (int i = 0; i < N; i++)
            seen[i] = size;
    }
    printf("%d\n", seen[0]);
    return 0;
}
