//@ verdict: race-free
//@ about: loops of two regions: the end of the first region orders them
#include <assert.h>

static int x[4], y[4];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for order(reproducible : concurrent)
        for (int i = 0; i < 4; i++)
            x[i] = i;
    }
#pragma omp parallel num_threads(2)
    {
#pragma omp for order(reproducible : concurrent)
        for (int i = 0; i < 4; i++)
            y[i] = x[3 - i];
    }
    for (int i = 0; i < 4; i++)
        assert(y[i] == 3 - i);
    return 0;
}
