//@ verdict: race-free
//@ about: temporaries of a lane are its own, even if a function gets their addresses
#include <cassert>
struct value { int n; };
static int larger(const value &a, const value &b) { return a.n > b.n ? a.n : b.n; }
int a[8];
int main()
{
#pragma omp simd
    for (int i = 0; i < 8; i++)
        a[i] = larger(value{i}, value{3});
    assert(a[0] == 3 && a[7] == 7);
}
