//@ verdict: race-free
//@ about: in and inoutset of one location on one task: a later inoutset waits
#include <assert.h>
#include <omp.h>
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(inoutset : x) depend(in : x)
        y = 1;
#pragma omp task depend(inoutset : x)
        y += 2;
#pragma omp taskwait
        assert(y == 3);
    }
}
