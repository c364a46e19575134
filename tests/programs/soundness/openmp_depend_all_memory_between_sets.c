//@ verdict: race-free
//@ about: omp_all_memory waits for the tasks of an inoutset, and those after it for it
#include <assert.h>
int x, y;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(inoutset : x)
        y = 1;
#pragma omp task depend(inout : omp_all_memory) depend(in : x)
        y += 1;
#pragma omp task depend(inoutset : x)
        y += 1;
#pragma omp taskwait
        assert(y == 3);
    }
}
