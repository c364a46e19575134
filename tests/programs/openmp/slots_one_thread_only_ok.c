//@ verdict: race-free
//@ about: two iterations that write one variable only if thread 0 executes them
#include <assert.h>
#include <omp.h>

static int x;

int main(void)
{
#pragma omp parallel for schedule(dynamic) num_threads(3)
    for (int i = 0; i < 2; i++)
        if (omp_get_thread_num() == 0)
            x = i + 1;
    assert(x >= 0);
    return 0;
}
