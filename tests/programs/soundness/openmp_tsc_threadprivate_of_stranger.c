//@ verdict: race-free
//@ about: the other thread's task is not executed before the barrier by a thread that is not its ancestor's
#include <assert.h>
#include <omp.h>
int tp;
#pragma omp threadprivate(tp)

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        tp = 1;
        if (omp_get_thread_num() == 1) {
#pragma omp task
            tp = 2;
        } else {
#pragma omp task
            {
            }
#pragma omp taskwait
            assert(tp == 1);
        }
    }
}
