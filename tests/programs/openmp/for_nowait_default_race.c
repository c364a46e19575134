//@ verdict: race
//@ race: half[*] 14 17
//@ about: for nowait: without a schedule clause the second loop may run an iteration elsewhere
#include <stdio.h>
#define N 256

int main(void)
{
    int half[N], full[N];
#pragma omp parallel
    {
#pragma omp for nowait
        for (int i = 0; i < N; i++)
            half[i] = i;
#pragma omp for
        for (int i = 0; i < N; i++)
            full[i] = 2 * half[i];
    }
    printf("%d\n", full[3]);
    return 0;
}
