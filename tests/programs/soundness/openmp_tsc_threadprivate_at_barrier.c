//@ verdict: defect
//@ defect: assertion 20
//@ about: in a barrier a thread may execute any task, also the other thread's
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
        }
#pragma omp barrier
        if (omp_get_thread_num() == 0)
            assert(tp == 1);
    }
}
