//@ verdict: race
//@ race: buffer 19 23
//@ about: task detach: the event is fulfilled before the write
#include <omp.h>
#include <stdio.h>

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
                omp_fulfill_event(ready);
                buffer = 8;
            }
        }
#pragma omp taskwait
        got = buffer;
    }
    printf("%d\n", got);
    return 0;
}
