//@ verdict: race-free
//@ about: two stages; a lock for each item is given back when the first stage is done with it
#include <assert.h>
#include <omp.h>
#define N 8

int main(void)
{
    int raw[N], done[N];
    omp_lock_t ready[N];
    for (int i = 0; i < N; i++)
        omp_init_lock(&ready[i]);
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        if (me == 0)
            for (int i = 0; i < N; i++)
                omp_set_lock(&ready[i]);
#pragma omp barrier
        if (me == 0) {
            for (int i = 0; i < N; i++) {
                raw[i] = i * 3;
                omp_unset_lock(&ready[i]);
            }
        } else {
            for (int i = 0; i < N; i++) {
                omp_set_lock(&ready[i]);
                done[i] = raw[i] + 1;
                omp_unset_lock(&ready[i]);
            }
        }
    }
    for (int i = 0; i < N; i++) {
        omp_destroy_lock(&ready[i]);
        assert(done[i] == 3 * i + 1);
    }
    return 0;
}
