//@ verdict: race
//@ race: letter 21 24
//@ about: P1 section 3.4: a signal sent by giving back a lock, before the write
#include <stdio.h>
#include <omp.h>

static omp_lock_t gate;
static int letter, got;

int main(void)
{
    omp_init_lock(&gate);
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        if (me == 0)
            omp_set_lock(&gate);
#pragma omp barrier
        if (me == 0) {
            omp_unset_lock(&gate);
            letter = 7;
        } else {
            omp_set_lock(&gate);
            got = letter;
            omp_unset_lock(&gate);
        }
    }
    omp_destroy_lock(&gate);
    printf("%d\n", got);
    return 0;
}
