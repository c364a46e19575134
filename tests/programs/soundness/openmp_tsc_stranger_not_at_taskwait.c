//@ verdict: race-free
//@ about: at a taskwait of its implicit task a thread takes only descendants of that task: not the other thread's task, which wants the lock
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
#pragma omp task
            {
#pragma omp critical
                x++;
            }
        }
    }
}
