//@ verdict: race-free
//@ about: task if(0) with depend: the creator waits for what it depends on
#include <assert.h>

int main(void)
{
    int cell = 0, out = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : cell) shared(cell)
        cell = 5;
#pragma omp task if (0) depend(in : cell) shared(cell, out)
        out = cell;
        out += cell;
    }
    assert(out == 10);
    return 0;
}
