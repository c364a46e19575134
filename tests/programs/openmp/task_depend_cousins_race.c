//@ verdict: race
//@ race: cell 15 20
//@ about: task depend: only siblings are ordered, these tasks have different parents
#include <stdio.h>

int main(void)
{
    int cell = 0, out = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(cell)
        {
#pragma omp task depend(out : cell) shared(cell)
            cell = 9;
        }
#pragma omp task shared(cell, out)
        {
#pragma omp task depend(in : cell) shared(cell, out)
            out = cell;
        }
    }
    printf("%d\n", out);
    return 0;
}
