//@ verdict: race
//@ race: x[*] 14 17
//@ about: the same mapping does not order an iteration after another one
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
        for (int i = 0; i < 4; i++)
            y[i] = x[3 - i] + 1;
    }
    for (int i = 0; i < 4; i++)
        assert(y[i] <= 4);
    return 0;
}
