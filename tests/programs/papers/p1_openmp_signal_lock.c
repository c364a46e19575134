//@ verdict: race-free
//@ about: P1 section 3.4: a signal sent by giving back a lock
#include <assert.h>
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
            letter = 7;
            omp_unset_lock(&gate);
        } else {
            omp_set_lock(&gate);
            got = letter;
            omp_unset_lock(&gate);
        }
    }
    omp_destroy_lock(&gate);
    assert(got == 7);
    return 0;
}
