//@ verdict: race
//@ race: cell 12 12
//@ about: task depend: the tasks of different threads are children of different implicit tasks
#include <stdio.h>

int main(void)
{
    int cell = 0;
#pragma omp parallel
    {
#pragma omp task depend(inout : cell) shared(cell)
        cell++;
    }
    printf("%d\n", cell);
    return 0;
}
