//@ verdict: race-free
//@ about: runtime: run-sched-var says monotonic
#include <assert.h>
#include <omp.h>

int main(void)
{
    omp_set_schedule(omp_sched_dynamic | omp_sched_monotonic, 1);
#pragma omp parallel num_threads(2)
    {
        int before = -1;
#pragma omp for schedule(runtime)
        for (int i = 0; i < 3; i++) {
            assert(i > before);
            before = i;
        }
    }
    return 0;
}
