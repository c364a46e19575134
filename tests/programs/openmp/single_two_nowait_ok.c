//@ verdict: race-free
//@ about: single nowait twice, on different variables; the end of the region waits
#include <assert.h>

int main(void)
{
    int one = 0, two = 0;
#pragma omp parallel num_threads(2)
    {
#pragma omp single nowait
        one = 1;
#pragma omp single nowait
        two = 2;
    }
    assert(one + two == 3);
    return 0;
}
