//@ verdict: race-free
//@ about: P1 section 3.4: a barrier of two threads made of two locks that change owners
#include <assert.h>
#include <omp.h>

static omp_lock_t left, right;
static int cell;

int main(void)
{
    omp_init_lock(&left);
    omp_init_lock(&right);
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        omp_set_lock(me == 0 ? &left : &right);
#pragma omp barrier
        if (me == 0) {
            cell = 1;
            omp_unset_lock(&left);
            omp_set_lock(&right);
        } else {
            omp_set_lock(&left);
            omp_unset_lock(&right);
            cell = cell + 1;
        }
#pragma omp barrier
        omp_unset_lock(me == 0 ? &right : &left);
    }
    omp_destroy_lock(&left);
    omp_destroy_lock(&right);
    assert(cell == 2);
    return 0;
}
