//@ verdict: race-free
//@ about: for: a loop of one iteration and a loop of none touch shared data without danger
#include <assert.h>

int main(void)
{
    int n = 0, m = 0, one = 1, none = 0;
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < one; i++)
            n += 5;
#pragma omp for
        for (int i = 0; i < none; i++)
            m += 5;
    }
    assert(n == 5 && m == 0);
    return 0;
}
