//@ verdict: race-free
//@ about: for with 64-bit, unsigned and descending indices
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#define N 100

int main(void)
{
    int a[N] = {0}, b[N] = {0}, c[N] = {0};
#pragma omp parallel
    {
#pragma omp for schedule(dynamic) nowait
        for (size_t i = 0; i < N; i++)
            a[i] = (int)i;
#pragma omp for schedule(static, 3) nowait
        for (int64_t i = N - 1; i >= 0; i -= 1)
            b[i] = (int)i;
#pragma omp for schedule(guided) nowait
        for (uint32_t i = N; i > 0; i--)
            c[i - 1] = (int)i - 1;
    }
    for (int i = 0; i < N; i++)
        assert(a[i] == i && b[i] == i && c[i] == i);
    return 0;
}
