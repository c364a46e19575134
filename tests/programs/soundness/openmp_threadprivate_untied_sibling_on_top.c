//@ verdict: defect
//@ defect: assertion 18
//@ about: an untied sibling may be executed on top at a taskyield
#include <assert.h>
#include <omp.h>
int tp;
#pragma omp threadprivate(tp)

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp task
        {
            tp = 1;
#pragma omp taskyield
            assert(tp == 1);
        }
#pragma omp task untied
        tp = 2;
    }
}
