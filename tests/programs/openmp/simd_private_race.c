//@ verdict: race
//@ undecided: the race of lanes is not confirmed where the loop is outside of a parallel region
//@ race: t 14 14
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
