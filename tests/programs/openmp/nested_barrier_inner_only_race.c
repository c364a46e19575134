//@ verdict: race
//@ race: shared_cell 18 21
//@ about: nested parallel: a barrier binds to the inner team and does not order the outer threads
#include <omp.h>
#include <stdio.h>

int main(void)
{
    int shared_cell = 0, got = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
        {
            int inner = omp_get_thread_num();
            if (outer == 0 && inner == 0)
                shared_cell = 1;
#pragma omp barrier
            if (outer == 1 && inner == 1)
                got = shared_cell;
        }
    }
    printf("%d\n", got);
    return 0;
}
