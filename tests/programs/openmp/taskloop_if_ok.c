//@ verdict: race-free
//@ about: taskloop if(0): its tasks are undeferred, one after the other
#include <assert.h>

int main(void)
{
    int sum = 0, off = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop if (off) shared(sum)
    for (int i = 0; i < 100; i++)
        sum += i;
    assert(sum == 4950);
    return 0;
}
