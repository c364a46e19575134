//@ verdict: race-free
//@ about: a tied task finds its threadprivate variable as it left it at a taskyield: its siblings stay away
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
#pragma omp task
        tp = 2;
    }
}
