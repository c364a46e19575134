//@ verdict: race-free
//@ about: parallel firstprivate: every copy starts with the value of the original
#include <assert.h>

int main(void)
{
    int base = 40;
    int out[300];
#pragma omp parallel firstprivate(base)
    {
        base += 2;
#pragma omp for
        for (int i = 0; i < 300; i++)
            out[i] = base + i;
    }
    assert(base == 40);
    for (int i = 0; i < 300; i++)
        assert(out[i] == 42 + i);
    return 0;
}
