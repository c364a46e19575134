//@ verdict: race-free
//@ about: the empty task of a taskwait with nowait passes a dependence on from one location to another
#include <assert.h>
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : x)
        y = 1;
#pragma omp taskwait depend(in : x) depend(out : z) nowait
#pragma omp task depend(in : z)
        y += 2;
#pragma omp taskwait
        assert(y == 3);
    }
}
