//@ verdict: race
//@ race: cell 17 19
//@ about: depobj: updated to in, so the two tasks are not ordered any more
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int cell = 0, out = 0;
    omp_depend_t d;
#pragma omp depobj(d) depend(inout : cell)
#pragma omp depobj(d) update(in)
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(depobj : d) shared(cell)
        cell = 12;
#pragma omp task depend(depobj : d) shared(cell, out)
        out = cell;
    }
#pragma omp depobj(d) destroy
    printf("%d\n", out);
    return 0;
}
