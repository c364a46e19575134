//@ verdict: race-free
//@ about: in and mutexinoutset of one location on one task: a later mutexinoutset waits, and is not only excluded
#include <assert.h>
#include <omp.h>
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(in : x) depend(mutexinoutset : x)
        y = 1;
#pragma omp task depend(mutexinoutset : x)
        y += 2;
#pragma omp taskwait
        assert(y == 3);
    }
}
