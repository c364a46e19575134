//@ verdict: race-free
//@ about: ordered simd: this block runs in the order of the iterations
#include <assert.h>
#define N 128

int main(void)
{
    int x[N], bin[10] = {0};
#pragma omp simd
    for (int i = 0; i < N; i++) {
        x[i] = i * 7 % 10;
#pragma omp ordered simd
        bin[x[i]]++;
    }
    int n = 0;
    for (int b = 0; b < 10; b++)
        n += bin[b];
    assert(n == N);
    return 0;
}
