//@ verdict: race-free
//@ about: what counts are the logical iterations: i from 0 and i from 10
#include <assert.h>

static int x[8], y[8];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for order(reproducible : concurrent) nowait
        for (int i = 0; i < 4; i++)
            x[i] = i;
#pragma omp for order(reproducible : concurrent)
        for (int i = 10; i < 14; i++)
            y[i - 10] = x[i - 10] + 1;
    }
    for (int i = 0; i < 4; i++)
        assert(y[i] == i + 1);
    return 0;
}
