//@ verdict: race-free
//@ about: single copyprivate: the value reaches the private copies of all
#include <assert.h>

int main(void)
{
    int drawn = 0, bad = 0;
#pragma omp parallel firstprivate(drawn)
    {
#pragma omp single copyprivate(drawn)
        drawn = 31;
        drawn++;
        if (drawn != 32) {
#pragma omp atomic
            bad++;
        }
    }
    assert(drawn == 0 && bad == 0);
    return 0;
}
