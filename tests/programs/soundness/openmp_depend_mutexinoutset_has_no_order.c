//@ verdict: defect
//@ defect: assertion 18
//@ about: mutexinoutset excludes and does not order
#include <assert.h>
#include <omp.h>
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(mutexinoutset : x)
        y = 1;
#pragma omp task depend(mutexinoutset : x)
        y = 2;
#pragma omp taskwait
        assert(y == 2);
    }
}
