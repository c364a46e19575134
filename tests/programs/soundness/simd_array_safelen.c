//@ verdict: race-free
//@ about: the same with safelen(2): only neighbouring lanes run at once
#include <assert.h>
int main(void)
{
    int t[2] = {0, 0}, *p = t;
#pragma omp simd safelen(2)
    for (int i = 0; i < 8; i++)
        p[i % 2] += i;
    assert(t[0] == 12 && t[1] == 16);
}
