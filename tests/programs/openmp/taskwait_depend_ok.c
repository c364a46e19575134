//@ verdict: race-free
//@ about: taskwait depend: waits for the tasks that it depends on
#include <assert.h>

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
        got = x;
    }
    assert(got == 4 && y == 5);
    return 0;
}
