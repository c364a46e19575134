//@ verdict: race-free
//@ about: nonmonotonic static: two loops share the mapping in any order
#include <assert.h>

static int x[4], y[4];

int main(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp for schedule(nonmonotonic : static, 1) nowait
        for (int i = 0; i < 4; i++)
            x[i] = i;
#pragma omp for schedule(nonmonotonic : static, 1)
        for (int i = 0; i < 4; i++)
            y[i] = x[i] + 1;
    }
    for (int i = 0; i < 4; i++)
        assert(y[i] == i + 1);
    return 0;
}
