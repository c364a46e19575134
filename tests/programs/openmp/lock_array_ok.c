//@ verdict: race-free
//@ about: one lock for each bucket
#include <assert.h>
#include <omp.h>
#define B 10

int main(void)
{
    omp_lock_t lock[B];
    int count[B] = {0};
    for (int b = 0; b < B; b++)
        omp_init_lock(&lock[b]);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 200; i++) {
        int b = (i * 3) % B;
        omp_set_lock(&lock[b]);
        count[b]++;
        omp_unset_lock(&lock[b]);
    }
    for (int b = 0; b < B; b++) {
        omp_destroy_lock(&lock[b]);
        assert(count[b] == 20);
    }
    return 0;
}
