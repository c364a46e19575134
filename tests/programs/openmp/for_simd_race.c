//@ verdict: race
//@ race: x[*] 12 12
//@ about: parallel for simd safelen(4): the lanes are far enough apart, the threads are not ordered
#include <stdio.h>
#define N 500

int main(void)
{
    int x[N + 4] = {0};
#pragma omp parallel for simd safelen(4)
    for (int i = 0; i < N; i++)
        x[i + 4] = x[i] + 1;
    printf("%d\n", x[N]);
    return 0;
}
