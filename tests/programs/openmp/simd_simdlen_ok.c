//@ verdict: race-free
//@ about: simd simdlen(4) safelen(4) with a distance of four
#include <assert.h>
#define N 256

int main(void)
{
    int x[N] = {0};
#pragma omp simd simdlen(4) safelen(4)
    for (int i = 4; i < N; i++)
        x[i] = x[i - 4] + 1;
    assert(x[N - 1] == (N - 1) / 4);
    return 0;
}
