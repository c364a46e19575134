//@ verdict: race
//@ race: count[*] 18 18
//@ about: one lock for each bucket, but taken for the wrong one
#include <omp.h>
#include <stdio.h>
#define B 10

int main(void)
{
    omp_lock_t lock[B];
    int count[B] = {0};
    for (int b = 0; b < B; b++)
        omp_init_lock(&lock[b]);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < 200; i++) {
        int b = (i / 7) % B;
        omp_set_lock(&lock[i % B]);
        count[b]++;
        omp_unset_lock(&lock[i % B]);
    }
    for (int b = 0; b < B; b++)
        omp_destroy_lock(&lock[b]);
    printf("%d\n", count[0]);
    return 0;
}
