//@ verdict: race-free
//@ about: master followed by a barrier
#include <assert.h>

int main(void)
{
    int ready = 0, bad = 0;
#pragma omp parallel
    {
#pragma omp master
        ready = 1;
#pragma omp barrier
        if (!ready) {
#pragma omp atomic
            bad++;
        }
    }
    assert(bad == 0);
    return 0;
}
