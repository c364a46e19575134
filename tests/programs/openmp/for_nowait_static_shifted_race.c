//@ verdict: race
//@ race: half[*] 14 17
//@ about: for schedule(static) nowait: the second loop reads a neighbour, which at a block's end is another thread's
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
        for (int i = 0; i < N; i++)
            full[i] = half[i > 0 ? i - 1 : 0];
    }
    printf("%d\n", full[3]);
    return 0;
}
