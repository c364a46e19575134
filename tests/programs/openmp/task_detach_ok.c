//@ verdict: race-free
//@ about: task detach: complete only when the event is fulfilled, after the write
#include <assert.h>
#include <omp.h>

int main(void)
{
    int buffer = 0, got = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
        omp_event_handle_t ready;
#pragma omp task detach(ready) shared(buffer)
        {
#pragma omp task shared(buffer) firstprivate(ready)
            {
                buffer = 8;
                omp_fulfill_event(ready);
            }
        }
#pragma omp taskwait
        got = buffer;
    }
    assert(got == 8);
    return 0;
}
