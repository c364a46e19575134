//@ verdict: race
//@ race: cell 15 18
//@ about: task depend between the parents: a parent is complete before its child is
#include <stdio.h>

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
        }
#pragma omp task depend(in : cell) shared(cell, out)
        out = cell;
    }
    printf("%d\n", out);
    return 0;
}
