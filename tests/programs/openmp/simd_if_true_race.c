//@ verdict: race
//@ race: x[*] 12 12
//@ about: simd if(true): lanes run at the same time, and each reads what the one before writes
#include <stdio.h>
#define N 8

int main(void)
{
    int x[N] = {0}, on = 1;
#pragma omp simd if (on)
    for (int i = 1; i < N; i++)
        x[i] = x[i - 1] + 1;
    printf("%d\n", x[N - 1]);
    return 0;
}
