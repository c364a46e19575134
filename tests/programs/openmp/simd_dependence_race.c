//@ verdict: race
//@ race: x[*] 13 13
//@ about: simd: without safelen any distance between lanes is possible
#include <stdio.h>
#define N 256

int main(void)
{
    int x[N] = {0};
#pragma omp simd
    for (int i = 8; i < N; i++)
        x[i] = x[i - 8] + 1;
    printf("%d\n", x[N - 1]);
    return 0;
}
