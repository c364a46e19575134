//@ verdict: defect
//@ defect: assertion 23
//@ about: an untied task may go on, behind a taskwait, on another thread: its threadprivate variable is another one
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
#pragma omp task untied
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
