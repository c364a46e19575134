//@ verdict: race
//@ race: raw[*] 23 29
//@ about: two stages; the second one takes the lock of the item before
#include <omp.h>
#include <stdio.h>
#define N 8

int main(void)
{
    int raw[N] = {0}, done[N];
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
            for (int i = 1; i < N; i++) {
                omp_set_lock(&ready[i - 1]);
                done[i] = raw[i] + 1;
                omp_unset_lock(&ready[i - 1]);
            }
        }
    }
    for (int i = 0; i < N; i++)
        omp_destroy_lock(&ready[i]);
    printf("%d\n", done[1]);
    return 0;
}
