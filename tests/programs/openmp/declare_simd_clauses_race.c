//@ verdict: race
//@ race: v[*] 13 13
//@ about: declare simd with linear: the function writes the next lane's element
#include <stdio.h>
#define N 256

static int v[N + 1];

#pragma omp declare simd simdlen(4) uniform(scale) linear(p : 1) notinbranch
static void scaled(int *p, int scale)
{
    // Lane i writes what lane i + 1 reads.
    p[1] = p[0] * scale;
}

int main(void)
{
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp simd simdlen(4)
    for (int i = 0; i < N; i++)
        scaled(&v[i], 3);
    printf("%d\n", v[5]);
    return 0;
}
