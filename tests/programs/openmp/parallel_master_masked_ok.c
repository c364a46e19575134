//@ verdict: race-free
//@ about: parallel master, parallel masked and parallel sections as combined constructs
#include <assert.h>

int main(void)
{
    int a = 0, b = 0, c = 0;
#pragma omp parallel master
    a = 1;
#pragma omp parallel masked num_threads(2) filter(1)
    b = a + 1;
#pragma omp parallel sections
    {
#pragma omp section
        c = b + 1;
    }
    assert(a == 1 && b == 2 && c == 3);
    return 0;
}
