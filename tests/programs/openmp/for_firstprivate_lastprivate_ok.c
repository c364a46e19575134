//@ verdict: race-free
//@ about: for with one variable firstprivate and lastprivate
#include <assert.h>
#define N 100

int main(void)
{
    int base = 11;
    int a[N];
#pragma omp parallel for firstprivate(base) lastprivate(base) schedule(static, N)
    for (int i = 0; i < N; i++) {
        a[i] = base;
        if (i == N - 1)
            base = 12;
    }
    assert(base == 12);
    for (int i = 0; i < N; i++)
        assert(a[i] == 11);
    return 0;
}
