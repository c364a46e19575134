//@ verdict: race-free
//@ about: an iterator and a plain clause name one element with different kinds
#include <assert.h>
int a[2], y;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task depend(iterator(i = 0 : 2), in : a[i]) depend(inoutset : a[1])
        y = 1;
#pragma omp task depend(in : a[1])
        y += 2;
#pragma omp taskwait
        assert(y == 3);
    }
}
