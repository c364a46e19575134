//@ verdict: race-free
//@ about: for schedule(static, 8) nowait: same count and chunk, other loop bounds and direction of counting
#include <assert.h>
#define N 240

int main(void)
{
    int half[N], full[N];
#pragma omp parallel
    {
#pragma omp for schedule(static, 8) nowait
        for (int i = 0; i < N; i++)
            half[i] = i;
#pragma omp for schedule(static, 8)
        for (int k = 1000; k < 1000 + 2 * N; k += 2)
            full[(k - 1000) / 2] = 2 * half[(k - 1000) / 2];
    }
    for (int i = 0; i < N; i++)
        assert(full[i] == 2 * i);
    return 0;
}
