//@ verdict: race
//@ race: y 14 16
//@ about: inoutset twice on one task is still inoutset: two such tasks are not ordered
#include <assert.h>
#include <omp.h>
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(inoutset : x) depend(inoutset : x)
        y = 1;
#pragma omp task depend(inoutset : x)
        y += 2;
#pragma omp taskwait

    }
}
