//@ verdict: race-free
//@ about: an undeferred task waits for what it depends on, and its creator for it
#include <assert.h>
int x, y;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(out : x)
        y = 1;
#pragma omp task if (0) depend(in : x)
        assert(y == 1);
        y += 2;
        assert(y == 3);
    }
}
