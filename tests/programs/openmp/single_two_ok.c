//@ verdict: race-free
//@ about: single twice: the first one's barrier lies between
#include <assert.h>

int main(void)
{
    int slot = 0;
#pragma omp parallel
    {
#pragma omp single
        slot = 1;
#pragma omp single nowait
        slot = slot + 1;
    }
    assert(slot == 2);
    return 0;
}
