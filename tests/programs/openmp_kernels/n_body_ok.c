//@ verdict: race-free
//@ about: forces between particles: each particle adds up its own
#include <assert.h>
#define N 60

int main(void)
{
    long x[N], f[N];
    for (int i = 0; i < N; i++)
        x[i] = (i * 17) % N;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        f[i] = 0;
        for (int j = 0; j < N; j++)
            f[i] += x[j] - x[i];
    }
    long sum = 0;
    for (int i = 0; i < N; i++)
        sum += f[i];
    assert(sum == 0);
    return 0;
}
