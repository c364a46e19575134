//@ verdict: race
//@ race: half[*] 14 17
//@ about: for schedule(dynamic) nowait: the same chunk size promises nothing
#include <stdio.h>
#define N 240

int main(void)
{
    int half[N], full[N];
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 8) nowait
        for (int i = 0; i < N; i++)
            half[i] = i;
#pragma omp for schedule(dynamic, 8)
        for (int i = 0; i < N; i++)
            full[i] = 2 * half[i];
    }
    printf("%d\n", full[3]);
    return 0;
}
