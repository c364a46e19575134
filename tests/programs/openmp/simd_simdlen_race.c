//@ verdict: race
//@ race: x[*] 13 13
//@ about: simd simdlen(4): a preferred length is no limit
#include <stdio.h>
#define N 256

int main(void)
{
    int x[N] = {0};
#pragma omp simd simdlen(4)
    for (int i = 16; i < N; i++)
        x[i] = x[i - 16] + 1;
    printf("%d\n", x[N - 1]);
    return 0;
}
