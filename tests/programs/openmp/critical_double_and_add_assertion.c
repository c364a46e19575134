//@ verdict: defect
//@ defect: assertion 23
//@ about: doubling and adding under one lock do not commute
#include <assert.h>
int x = 1, y[4];

int main(void)
{
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
#pragma omp critical
            x = x + 1;
        }
#pragma omp section
        {
#pragma omp critical
            x = x + x;
        }
    }
    /* 3 or 4 when doubled */
    assert(x == 4 || x == 5);
    return 0;
}
