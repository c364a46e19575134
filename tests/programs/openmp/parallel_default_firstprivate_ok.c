//@ verdict: race-free
//@ about: parallel default(firstprivate): the scalars are copied, the array named as shared is not
#include <assert.h>

int main(void)
{
    int seed = 5, step = 2;
    int grid[128];
#pragma omp parallel default(firstprivate) shared(grid)
    {
        seed = seed * step;
#pragma omp for
        for (int i = 0; i < 128; i++)
            grid[i] = seed + i;
    }
    assert(seed == 5);
    for (int i = 0; i < 128; i++)
        assert(grid[i] == 10 + i);
    return 0;
}
