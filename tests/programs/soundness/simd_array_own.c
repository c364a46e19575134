//@ verdict: race-free
//@ about: every lane writes an element of its own of a local array
#include <assert.h>
int main(void)
{
    int t[8], *p = t;
#pragma omp simd
    for (int i = 0; i < 8; i++)
        p[i] = i;
    assert(t[0] == 0 && t[7] == 7);
}
