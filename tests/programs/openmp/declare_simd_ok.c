//@ verdict: race-free
//@ about: declare simd with uniform, linear and notinbranch
#include <assert.h>
#define N 200

#pragma omp declare simd uniform(a, b) linear(i : 1) notinbranch
static int blend(const int *a, int b, int i)
{
    return a[i] * b + i;
}

#pragma omp declare simd simdlen(4)
static int half(int v)
{
    return v / 2;
}

int main(void)
{
    int a[N], r[N];
    for (int i = 0; i < N; i++)
        a[i] = i;
#pragma omp simd
    for (int i = 0; i < N; i++)
        r[i] = half(blend(a, 3, i));
    for (int i = 0; i < N; i++)
        assert(r[i] == 2 * i);
    return 0;
}
