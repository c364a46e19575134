//@ verdict: race-free
//@ about: parallel proc_bind: where threads run changes nothing
#include <assert.h>

int main(void)
{
    double f[100];
#pragma omp parallel proc_bind(close)
    {
#pragma omp for
        for (int i = 0; i < 100; i++)
            f[i] = i * 0.5;
    }
    for (int i = 0; i < 100; i++)
        assert(f[i] == i * 0.5);
    return 0;
}
