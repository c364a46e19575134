//@ verdict: race
//@ race: y 14 16
//@ about: two kinds of one location, but the later task names another
#include <assert.h>
#include <omp.h>
int x, y, z;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(in : x) depend(inoutset : x)
        y = 1;
#pragma omp task depend(in : z)
        y += 2;
#pragma omp taskwait

    }
}
