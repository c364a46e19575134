//@ verdict: race-free
//@ about: a nestable lock taken twice by the same thread
#include <assert.h>
#include <omp.h>

static omp_nest_lock_t gate;
static int depth_sum;

static void inner(int v)
{
    omp_set_nest_lock(&gate);
    depth_sum += v;
    omp_unset_nest_lock(&gate);
}

int main(void)
{
    omp_init_nest_lock(&gate);
#pragma omp parallel for
    for (int i = 0; i < 100; i++) {
        omp_set_nest_lock(&gate);
        inner(i);
        depth_sum += 1;
        omp_unset_nest_lock(&gate);
    }
    omp_destroy_nest_lock(&gate);
    assert(depth_sum == 4950 + 100);
    return 0;
}
