//@ verdict: race-free
//@ about: sections with lastprivate: the value of the section that comes last in the text
#include <assert.h>

int main(void)
{
    int x = -1;
#pragma omp parallel num_threads(2)
    {
        int seen = 0;
#pragma omp sections lastprivate(x)
        {
#pragma omp section
            {
                x = 1;
                seen = seen * 2 + 1;
            }
#pragma omp section
            {
                x = 2;
                seen = seen * 3 + 1;
            }
#pragma omp section
            {
                x = 3;
                seen = seen * 5 + 1;
            }
        }
    }
    assert(x == 3);
    return 0;
}
