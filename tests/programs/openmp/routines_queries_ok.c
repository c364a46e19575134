//@ verdict: race-free
//@ undecided: neither the proof from one run nor the search decides it yet
//@ about: the values of the omp_get routines outside and inside of a region
#include <assert.h>
#include <omp.h>

int main(void)
{
    int bad = 0;
    double begin = omp_get_wtime();
    assert(!omp_in_parallel() && omp_get_num_threads() == 1 && omp_get_thread_num() == 0);
    assert(omp_get_level() == 0 && omp_get_active_level() == 0);
    assert(omp_get_num_procs() > 0 && omp_get_thread_limit() > 0 && omp_get_wtick() > 0);
    omp_set_dynamic(0);
    assert(!omp_get_dynamic());
    omp_set_max_active_levels(3);
    assert(omp_get_max_active_levels() == 3);
    omp_set_schedule(omp_sched_dynamic, 6);
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    assert(kind == omp_sched_dynamic && chunk == 6);
#pragma omp parallel num_threads(2) reduction(+ : bad)
    {
        bad += !omp_in_parallel();
        bad += omp_get_num_threads() != 2;
        bad += omp_get_level() != 1 || omp_get_active_level() != 1;
        bad += omp_get_team_size(0) != 1 || omp_get_team_size(1) != 2;
        bad += omp_get_ancestor_thread_num(0) != 0;
        bad += omp_get_ancestor_thread_num(1) != omp_get_thread_num();
        bad += omp_in_final();
    }
    assert(bad == 0);
    assert(omp_get_wtime() >= begin);
    assert(omp_is_initial_device() && omp_get_num_teams() == 1 && omp_get_team_num() == 0);
    return 0;
}
