//@ verdict: race
//@ race: half[*] 14 17
//@ about: for schedule(static) nowait: loops of different length have different blocks
#include <stdio.h>
#define N 240

int main(void)
{
    int half[N], full[N];
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            half[i] = i;
#pragma omp for schedule(static)
        for (int i = 0; i < N / 2; i++)
            full[i] = 2 * half[i];
    }
    printf("%d\n", full[3]);
    return 0;
}
