//@ verdict: race-free
//@ about: depobj: a dependence kept in an object
#include <assert.h>
#include <omp.h>

int main(void)
{
    int cell = 0, out = 0;
    omp_depend_t d;
#pragma omp depobj(d) depend(inout : cell)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(depobj : d) shared(cell)
        cell = 12;
#pragma omp task depend(depobj : d) shared(cell, out)
        out = cell;
    }
#pragma omp depobj(d) destroy
    assert(out == 12);
    return 0;
}
