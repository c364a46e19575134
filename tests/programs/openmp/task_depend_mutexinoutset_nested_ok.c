//@ verdict: race-free
//@ about: a child with mutexinoutset on the location of its parent does not wait for the parent
#include <assert.h>

static int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(mutexinoutset : x)
        {
#pragma omp task depend(mutexinoutset : x)
            x += 1;
#pragma omp task depend(mutexinoutset : x) if (0)
            x += 1;
#pragma omp taskwait
            x += 1;
        }
    }
    assert(x == 3);
    return 0;
}
