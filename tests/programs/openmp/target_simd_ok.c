//@ verdict: race-free
//@ about: target simd and target parallel for simd, and a declare target function
#include <assert.h>
#define N 128

#pragma omp declare target
static int shift(int v)
{
    return v + 2;
}
#pragma omp end declare target

int main(void)
{
    int a[N], b[N];
#pragma omp target simd map(from : a)
    for (int i = 0; i < N; i++)
        a[i] = shift(i);
#pragma omp target parallel for simd map(to : a) map(from : b)
    for (int i = 0; i < N; i++)
        b[i] = shift(a[i]);
    for (int i = 0; i < N; i++)
        assert(b[i] == i + 4);
    return 0;
}
