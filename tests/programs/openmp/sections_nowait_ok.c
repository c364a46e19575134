//@ verdict: race-free
//@ about: sections nowait: what follows waits at a barrier of its own
#include <assert.h>

int main(void)
{
    int left = 0, right = 0, sum = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp sections nowait
        {
#pragma omp section
            left = 3;
#pragma omp section
            right = 4;
        }
#pragma omp barrier
#pragma omp single
        sum = left + right;
    }
    assert(sum == 7);
    return 0;
}
