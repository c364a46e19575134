//@ verdict: race-free
//@ about: lastprivate comes from the last iteration, however the loop is split
#include <assert.h>

int main(void)
{
    int v = 0;
#pragma omp parallel num_threads(2) shared(v)
    {
#pragma omp single
#pragma omp taskloop lastprivate(v) num_tasks(2)
        for (int i = 0; i < 4; i++)
            v = i;
    }
    assert(v == 3);
}
