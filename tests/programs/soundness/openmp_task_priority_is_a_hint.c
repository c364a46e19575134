//@ verdict: defect
//@ defect: assertion 25
//@ about: a task of higher priority need not come first
#include <assert.h>
int first;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task priority(0)
        {
#pragma omp critical
            if (!first)
                first = 1;
        }
#pragma omp task priority(10)
        {
#pragma omp critical
            if (!first)
                first = 2;
        }
#pragma omp taskwait
        assert(first == 2);
    }
}
