//@ verdict: race-free
//@ about: declare simd with simdlen, linear and uniform, called in a simd loop with a reduction
#include <assert.h>
#define N 256

static int v[N];

#pragma omp declare simd simdlen(4) uniform(scale) linear(p : 1) notinbranch
static int scaled(int *p, int scale)
{
    return *p * scale;
}

int main(void)
{
    int sum = 0;
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp simd reduction(+ : sum) simdlen(4)
    for (int i = 0; i < N; i++)
        sum += scaled(&v[i], 3);
    assert(sum == 3 * N * (N - 1) / 2);
    return 0;
}
