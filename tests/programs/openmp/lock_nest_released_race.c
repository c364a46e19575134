//@ verdict: race
//@ race: depth_sum 21 21
//@ race: depth_sum 21 18
//@ about: a nestable lock given back fully before the last update
#include <omp.h>
#include <stdio.h>

static omp_nest_lock_t gate;
static int depth_sum;

int main(void)
{
    omp_init_nest_lock(&gate);
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        omp_set_nest_lock(&gate);
        omp_set_nest_lock(&gate);
        depth_sum += i;
        omp_unset_nest_lock(&gate);
        omp_unset_nest_lock(&gate);
        depth_sum += 1;
    }
    omp_destroy_nest_lock(&gate);
    printf("%d\n", depth_sum);
    return 0;
}
