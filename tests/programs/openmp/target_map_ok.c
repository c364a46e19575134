//@ verdict: race-free
//@ about: target map: the region runs to its end before the host goes on; an unmapped scalar is firstprivate
#include <assert.h>
#define N 100

int main(void)
{
    int v[N], scale = 3, total = 0;
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp target map(tofrom : v, total)
    {
        for (int i = 0; i < N; i++) {
            v[i] *= scale;
            total += v[i];
        }
        scale = 0;
    }
    assert(scale == 3 && total == 3 * N * (N - 1) / 2 && v[9] == 27);
    return 0;
}
