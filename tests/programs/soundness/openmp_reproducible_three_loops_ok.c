//@ verdict: race-free
//@ about: three loops in a row without barriers have one mapping
#include <assert.h>

static int x[4], y[4];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for order(concurrent) nowait
        for (int i = 0; i < 4; i++)
            x[i] = i;
#pragma omp for order(concurrent) nowait
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + 1;
#pragma omp for order(concurrent) nowait
        for (int i = 0; i < 4; i++)
            x[i] = y[i] + 1;
    }
    for (int i = 0; i < 4; i++)
        assert(x[i] == i + 2);
    return 0;
}
