//@ verdict: race
//@ race: x 18 20
//@ about: depobj updated to in: the second task no longer writes as far as dependences know
#include <omp.h>
int x, y;

int main(void)
{
#pragma omp parallel num_threads(3)
#pragma omp single
    {
        omp_depend_t d;
#pragma omp depobj(d) depend(inout : x)
#pragma omp task depend(depobj : d) shared(x)
        x = 1;
#pragma omp depobj(d) update(in)
#pragma omp task depend(depobj : d) shared(x)
        x = 2;
#pragma omp task depend(in : x) shared(x, y)
        y = x;
#pragma omp taskwait
#pragma omp depobj(d) destroy
    }
    return 0;
}
