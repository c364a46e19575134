//@ verdict: race-free
//@ about: the pointer points to a variable of the lane
#include <assert.h>
int a[8];
int main(void)
{
#pragma omp simd
    for (int i = 0; i < 8; i++) {
        int own = i, *p = &own;
        *p += 1;
        a[i] = own;
    }
    assert(a[7] == 8);
}
