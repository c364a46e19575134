//@ verdict: race-free
//@ about: cancel sections: sections on their own variables
#include <assert.h>

int main(void)
{
    int a = 0, b = 0;
#pragma omp parallel
    {
#pragma omp sections
        {
#pragma omp section
            {
                a = 1;
#pragma omp cancel sections
            }
#pragma omp section
            {
                b = 1;
#pragma omp cancellation point sections
            }
        }
    }
    assert(a <= 1 && b <= 1);
    return 0;
}
