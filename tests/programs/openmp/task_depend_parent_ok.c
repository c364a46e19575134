//@ verdict: race-free
//@ about: task depend between the parents, each of which waits for its child
#include <assert.h>

int main(void)
{
    int cell = 0, out = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : cell) shared(cell)
        {
#pragma omp task shared(cell)
            cell = 9;
#pragma omp taskwait
        }
#pragma omp task depend(in : cell) shared(cell, out)
        {
#pragma omp task shared(cell, out)
            out = cell;
        }
    }
    assert(out == 9);
    return 0;
}
