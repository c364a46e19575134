//@ verdict: race-free
//@ about: for schedule(runtime): right under every schedule
#include <assert.h>
#include <omp.h>

int main(void)
{
    int cell[200] = {0};
    omp_set_schedule(omp_sched_guided, 3);
#pragma omp parallel for schedule(runtime)
    for (int i = 0; i < 200; i++)
        cell[i] = i * i;
    for (int i = 0; i < 200; i++)
        assert(cell[i] == i * i);
    return 0;
}
