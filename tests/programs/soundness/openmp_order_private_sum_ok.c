//@ verdict: race-free
//@ about: a private sum does not depend on the order of iterations
#include <assert.h>

static int total;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        int mine = 0;
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 5; i++)
            mine += i;
#pragma omp atomic
        total += mine;
    }
    assert(total == 10);
    return 0;
}
