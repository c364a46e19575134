//@ verdict: race-free
//@ about: a depobj and a clause name one location with different kinds
#include <assert.h>
#include <omp.h>
int x, y;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_depend_t o;
#pragma omp depobj(o) depend(in : x)
#pragma omp task depend(depobj : o) depend(inoutset : x)
        y = 1;
#pragma omp task depend(in : x)
        y += 2;
#pragma omp taskwait
        assert(y == 3);
#pragma omp depobj(o) destroy
    }
}
