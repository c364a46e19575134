//@ verdict: race-free
//@ about: taskwait depend(in) waits for all tasks of an inoutset
#include <assert.h>
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(inoutset : x)
        y = 1;
#pragma omp task depend(inoutset : x)
        z = 1;
#pragma omp taskwait depend(in : x)
        assert(y == 1 && z == 1);
    }
}
