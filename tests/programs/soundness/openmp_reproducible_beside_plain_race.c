//@ verdict: race
//@ race: x[*] 14 17
//@ about: a loop without schedule and order has a mapping of its own
#include <assert.h>

static int x[8], y[8];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for order(reproducible : concurrent) nowait
        for (int i = 0; i < 4; i++)
            x[i] = i;
#pragma omp for 
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + 1;
    }
    for (int i = 0; i < 4; i++)
        assert(y[i] == i + 1);
    return 0;
}
