//@ verdict: race
//@ race: cell 13 15
//@ about: task depend: the writer was created first without a dependence, the reader's depend finds nobody
#include <stdio.h>

int main(void)
{
    int cell = 0, got = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task shared(cell)
        cell = 1;
#pragma omp task depend(in : cell) shared(cell, got)
        got = cell;
    }
    printf("%d\n", got);
    return 0;
}
