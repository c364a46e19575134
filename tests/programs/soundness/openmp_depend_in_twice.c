//@ verdict: race
//@ race: y 14 16
//@ about: in twice on one task is still in: two such tasks are not ordered
#include <assert.h>
#include <omp.h>
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(in : x) depend(in : x)
        y = 1;
#pragma omp task depend(in : x)
        y += 2;
#pragma omp taskwait

    }
}
