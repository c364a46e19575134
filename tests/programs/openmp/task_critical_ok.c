//@ verdict: race-free
//@ about: task: critical around the shared update
#include <assert.h>

int main(void)
{
    int n = 0;
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 100; i++) {
#pragma omp task shared(n)
        {
#pragma omp critical
            n += i;
        }
    }
    assert(n == 4950);
    return 0;
}
