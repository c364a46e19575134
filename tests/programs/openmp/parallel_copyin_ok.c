//@ verdict: race-free
//@ about: parallel copyin: the master's threadprivate value is copied before the region starts
#include <assert.h>

static int offset;
#pragma omp threadprivate(offset)

int main(void)
{
    int out[120];
    offset = 9;
#pragma omp parallel copyin(offset) shared(out)
    {
#pragma omp for
        for (int i = 0; i < 120; i++)
            out[i] = i + offset;
        offset = 0;
    }
    for (int i = 0; i < 120; i++)
        assert(out[i] == i + 9);
    return 0;
}
