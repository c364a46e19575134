//@ verdict: defect
//@ defect: deadlock 15
//@ about: a detached task whose event nobody fulfills is never complete
#include <omp.h>
int x;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t e;
#pragma omp task detach(e)
        x = 1;
#pragma omp taskwait
    }
}
