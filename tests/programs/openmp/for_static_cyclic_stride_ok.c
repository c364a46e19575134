//@ verdict: race-free
//@ about: for schedule(static, 1) with two threads: iterations of the same parity share a thread
#include <assert.h>
#define N 100

int main(void)
{
    int a[N + 2] = {1, 1};
#pragma omp parallel for schedule(static, 1) num_threads(2)
    for (int i = 0; i < N; i++)
        a[i + 2] = a[i] + 1;
    for (int i = 0; i < N + 2; i++)
        assert(a[i] == 1 + i / 2);
    return 0;
}
