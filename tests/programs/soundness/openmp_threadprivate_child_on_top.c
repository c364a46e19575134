//@ verdict: defect
//@ defect: assertion 20
//@ about: a child may be executed on top at a taskyield
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
#pragma omp task
            tp = 2;
#pragma omp taskyield
            assert(tp == 1);
        }
    }
}
