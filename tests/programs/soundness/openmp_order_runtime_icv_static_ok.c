//@ verdict: race-free
//@ about: runtime: run-sched-var says static, so chunks come in increasing order
#include <assert.h>
#include <omp.h>

int main(void)
{
    omp_set_schedule(omp_sched_static, 1);
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for schedule(runtime)
        for (int i = 0; i < 4; i++) {
            assert(i > before);
            before = i;
        }
    }
    return 0;
}
