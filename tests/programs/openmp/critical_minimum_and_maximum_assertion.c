//@ verdict: defect
//@ defect: assertion 24
//@ about: a minimum and a maximum of one variable do not commute
#include <assert.h>
int x = 5;

int main(void)
{
#pragma omp parallel sections
    {
#pragma omp section
        {
#pragma omp critical
            if (x < 8)
                x = 8;
        }
#pragma omp section
        {
#pragma omp critical
            if (x > 6)
                x = 6;
        }
    }
    assert(x == 8);
    return 0;
}
