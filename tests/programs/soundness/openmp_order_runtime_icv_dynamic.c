//@ verdict: defect
//@ defect: assertion 15
//@ about: runtime: run-sched-var says dynamic, which is nonmonotonic
#include <assert.h>
#include <omp.h>

int main(void)
{
    omp_set_schedule(omp_sched_dynamic, 1);
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
