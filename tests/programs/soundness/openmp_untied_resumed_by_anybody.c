//@ verdict: race-free
//@ about: an untied task that is suspended in a taskwait can be resumed by any thread: no deadlock
#include <stdio.h>
int done;

int main(void)
{
#pragma omp parallel
#pragma omp single
#pragma omp task untied
    {
#pragma omp task untied
        {
#pragma omp taskwait /* no children: a task scheduling point only */
            done = 1;
        }
#pragma omp taskwait
        printf("%d\n", done);
    }
    return 0;
}
