//@ verdict: race-free
//@ about: simd private, lastprivate and linear
#include <assert.h>
#define N 128

int main(void)
{
    int x[N], y[2 * N] = {0}, t = 9, last = 0, k = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
#pragma omp simd private(t) lastprivate(last) linear(k : 2)
    for (int i = 0; i < N; i++) {
        t = x[i] * 2;
        y[k] = t + 1;
        k += 2;
        last = i;
    }
    assert(t == 9 && last == N - 1 && k == 2 * N);
    for (int i = 0; i < N; i++)
        assert(y[2 * i] == 2 * i + 1);
    return 0;
}
