//@ verdict: race-free
//@ about: two loops in one line that share their mapping, beside one that does not but touches other data
#include <assert.h>
int a[8], b[8], c[8];
int main(void)
{
#pragma omp parallel num_threads(2)
    {
        _Pragma("omp for schedule(static) nowait") for (int i = 0; i < 8; i++) a[i] = i; _Pragma("omp for nowait") for (int i = 0; i < 8; i++) c[i] = i; _Pragma("omp for schedule(static) nowait") for (int i = 0; i < 8; i++) b[i] = a[i];
    }
    assert(b[7] == 7 && c[7] == 7);
}
