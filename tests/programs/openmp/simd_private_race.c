//@ verdict: race
//@ race: t 13 13
//@ races: at-least
//@ about: simd without private: the lanes share a scratch variable
#include <stdio.h>
#define N 8

int main(void)
{
    int a[N], t = 0;
#pragma omp simd
    for (int i = 0; i < N; i++) {
        t = i * 2;
        a[i] = t + 1;
    }
    printf("%d\n", a[N - 1]);
    return 0;
}
