//@ verdict: race-free
//@ about: simd safelen(8): iterations eight apart do not run together
#include <assert.h>
#define N 256

int main(void)
{
    int x[N] = {0};
#pragma omp simd safelen(8)
    for (int i = 8; i < N; i++)
        x[i] = x[i - 8] + 1;
    for (int i = 0; i < N; i++)
        assert(x[i] == i / 8);
    return 0;
}
