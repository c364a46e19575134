//@ verdict: race
//@ race: sum 14 14
//@ about: simd: a sum over the lanes without reduction
#include <stdio.h>
#define N 300

static int sum;

int main(void)
{
#pragma omp simd
    for (int i = 0; i < N; i++)
        sum += i;
    printf("%d\n", sum);
    return 0;
}
