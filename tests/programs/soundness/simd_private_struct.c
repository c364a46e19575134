//@ verdict: race-free
//@ about: the members of a struct that is private to the lanes
#include <assert.h>
int a[8];
int main(void)
{
    struct { int s, t; } own = {0, 0};
#pragma omp simd private(own)
    for (int i = 0; i < 8; i++) {
        own.s = i;
        own.t = own.s + 1;
        a[i] = own.t;
    }
    assert(a[7] == 8);
}
