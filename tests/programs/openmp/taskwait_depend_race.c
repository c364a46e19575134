//@ verdict: race
//@ race: y 15 17
//@ about: taskwait depend: the other task is not waited for
#include <stdio.h>

int main(void)
{
    int x = 0, y = 0, got = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : x) shared(x)
        x = 4;
#pragma omp task depend(out : y) shared(y)
        y = 5;
#pragma omp taskwait depend(in : x)
        got = x + y;
    }
    printf("%d\n", got);
    return 0;
}
