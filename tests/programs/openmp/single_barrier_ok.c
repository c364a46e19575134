//@ verdict: race-free
//@ about: single: the barrier at its end shows the value to all
#include <assert.h>

int main(void)
{
    int config = 0, bad = 0;
#pragma omp parallel
    {
#pragma omp single
        config = 77;
        if (config != 77) {
#pragma omp atomic
            bad++;
        }
    }
    assert(bad == 0);
    return 0;
}
