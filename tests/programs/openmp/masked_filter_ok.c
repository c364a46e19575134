//@ verdict: race-free
//@ about: masked filter: the same thread is selected twice
#include <assert.h>

int main(void)
{
    int note = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp masked filter(1)
        note = 1;
#pragma omp masked filter(1)
        note = note + 1;
    }
    assert(note == 2);
    return 0;
}
