//@ verdict: race-free
//@ about: a tied task goes on, behind a taskwait, on the same thread
#include <assert.h>
#include <omp.h>
int tp;
#pragma omp threadprivate(tp)

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        tp = omp_get_thread_num();
#pragma omp barrier
#pragma omp single nowait
#pragma omp task
        {
            int before = tp;
#pragma omp task
            {
            }
#pragma omp taskwait
            assert(before == tp);
        }
    }
}
