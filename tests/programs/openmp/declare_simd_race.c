//@ verdict: race
//@ race: calls 13 13
//@ about: declare simd: the function counts its calls
#include <stdio.h>
#define N 200

static int calls;

#pragma omp declare simd
static int twice(int v)
{
    calls++;
    return 2 * v;
}

int main(void)
{
    int r[N];
#pragma omp simd
    for (int i = 0; i < N; i++)
        r[i] = twice(i);
    printf("%d %d\n", r[1], calls);
    return 0;
}
