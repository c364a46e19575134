//@ verdict: race
//@ race: half[*] 14 17
//@ about: for schedule(static, 8) and schedule(static, 5): different mappings, no barrier between them
#include <stdio.h>
#define N 240

int main(void)
{
    int half[N], full[N];
#pragma omp parallel
    {
#pragma omp for schedule(static, 8) nowait
        for (int i = 0; i < N; i++)
            half[i] = i;
#pragma omp for schedule(static, 5)
        for (int i = 0; i < N; i++)
            full[i] = 2 * half[i];
    }
    printf("%d\n", full[3]);
    return 0;
}
