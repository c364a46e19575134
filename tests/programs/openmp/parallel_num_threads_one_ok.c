//@ verdict: race-free
//@ about: parallel num_threads(1): one thread alone does not race
#include <assert.h>

int main(void)
{
    int total = 0;
#pragma omp parallel num_threads(1)
    for (int i = 0; i < 100; i++)
        total += i;
    assert(total == 4950);
    return 0;
}
