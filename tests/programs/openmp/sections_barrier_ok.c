//@ verdict: race-free
//@ about: sections: the barrier at their end
#include <assert.h>

int main(void)
{
    int left = 0, right = 0, sum = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            left = 3;
#pragma omp section
            right = 4;
        }
#pragma omp single
        sum = left + right;
    }
    assert(sum == 7);
    return 0;
}
