//@ verdict: race-free
//@ about: static with chunks goes round robin
#include <assert.h>

static int x[5], y[5];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(static, 2) nowait
        for (int i = 0; i < 5; i++)
            x[i] = i;
#pragma omp for schedule(static, 2) nowait
        for (int i = 0; i < 5; i++)
            y[i] = x[i];
    }
    for (int i = 0; i < 5; i++)
        assert(y[i] == i);
    return 0;
}
