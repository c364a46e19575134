//@ verdict: defect
//@ defect: assertion 20
//@ about: a task may be executed by its creator where another one is created
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
        tp = 2;
        tp = 1;
#pragma omp task
        {
        }
        assert(tp == 1);
    }
}
