//@ verdict: race
//@ race: x[*] 13 13
//@ about: simd safelen(8): iterations seven apart may run together
#include <stdio.h>
#define N 256

int main(void)
{
    int x[N] = {0};
#pragma omp simd safelen(8)
    for (int i = 7; i < N; i++)
        x[i] = x[i - 7] + 1;
    printf("%d\n", x[N - 1]);
    return 0;
}
