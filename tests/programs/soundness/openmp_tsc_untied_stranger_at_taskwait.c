//@ verdict: defect
//@ defect: deadlock 22
//@ about: an untied task is not constrained: a thread may begin it at a taskwait in a critical region that the task wants, too
#include <omp.h>
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp critical
            {
#pragma omp task
                {
                }
#pragma omp taskwait
            }
        } else {
#pragma omp task untied
            {
#pragma omp critical
                x++;
            }
        }
    }
}
