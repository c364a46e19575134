//@ verdict: race-free
//@ about: who depends on a detached task comes after the fulfilment of its event
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
#pragma omp task
        {
            y = 1;
            omp_fulfill_event(e);
        }
#pragma omp task depend(in : x)
        assert(y == 1);
    }
}
