//@ verdict: race-free
//@ about: critical inside critical under two names, always in the same order
#include <assert.h>

int main(void)
{
    int outer = 0, inner = 0;
#pragma omp parallel for
    for (int i = 0; i < 40; i++) {
#pragma omp critical(out)
        {
            outer++;
#pragma omp critical(in)
            inner += outer > 0;
        }
#pragma omp critical(in)
        inner++;
    }
    assert(outer == 40);
    return 0;
}
