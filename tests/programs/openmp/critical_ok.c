//@ verdict: race-free
//@ about: critical: one at a time
#include <assert.h>
#define N 200

int main(void)
{
    int total = 0, calls = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp critical
        {
            total += i;
            calls++;
        }
    }
    assert(total == N * (N - 1) / 2 && calls == N);
    return 0;
}
