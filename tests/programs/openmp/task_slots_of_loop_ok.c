//@ verdict: race-free
//@ about: tasks that iterations create add to the slots of the threads that execute them
#include <assert.h>
#include <omp.h>

static int part[3];

int main(void)
{
#pragma omp parallel num_threads(3)
    {
#pragma omp for
        for (int i = 0; i < 40; i++) {
#pragma omp task
            part[omp_get_thread_num()] += i;
        }
    }
    assert(part[0] + part[1] + part[2] == 780);
    return 0;
}
