//@ verdict: race-free
//@ about: tasks that depend on a detached one come after the fulfilment of its event, one at a time
#include <assert.h>
#include <omp.h>
int x, y;

int main(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t e;
#pragma omp task detach(e) depend(out : x)
        {
        }
#pragma omp task depend(mutexinoutset : x)
        y++;
#pragma omp task depend(mutexinoutset : x)
        y++;
        y = 5;
        omp_fulfill_event(e);
#pragma omp taskwait
        assert(y == 7);
    }
}
