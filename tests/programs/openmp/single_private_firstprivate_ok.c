//@ verdict: race-free
//@ about: single with private and firstprivate
#include <assert.h>

int main(void)
{
    int t = 4, u = 5, out = 0;
#pragma omp parallel
    {
#pragma omp single private(t) firstprivate(u)
        {
            t = 6;
            u += t;
            out = u;
        }
    }
    assert(t == 4 && u == 5 && out == 11);
    return 0;
}
