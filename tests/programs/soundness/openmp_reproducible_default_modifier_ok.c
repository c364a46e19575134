//@ verdict: race-free
//@ about: order(concurrent) without a modifier is reproducible (OpenMP 5.2, 10.3)
#include <assert.h>

static int x[8], y[8];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for order(concurrent) nowait
        for (int i = 0; i < 4; i++)
            x[i] = i;
#pragma omp for order(concurrent)
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + 1;
    }
    for (int i = 0; i < 4; i++)
        assert(y[i] == i + 1);
    return 0;
}
