//@ verdict: race-free
//@ about: simd if(0): one lane, the iterations run in order
#include <assert.h>
#define N 128

int main(void)
{
    int x[N] = {0}, off = 0;
#pragma omp simd if (off)
    for (int i = 1; i < N; i++)
        x[i] = x[i - 1] + 1;
    assert(x[N - 1] == N - 1);
    return 0;
}
