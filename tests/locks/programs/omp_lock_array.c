// A lock for each element, of which those of elements with one owner are not needed.
#include <omp.h>
static omp_lock_t locks[3];
static int bucket[3], own[4];
int main(void) {
    for (int i = 0; i < 3; i++)
        omp_init_lock(&locks[i]);
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < 4; i++) {
        omp_set_lock(&locks[i % 3]); //@ needed race, atomic
        bucket[i % 3] += i;
        omp_unset_lock(&locks[i % 3]);
        omp_set_lock(&locks[0]); //@ superfluous
        own[i] = i;
        omp_unset_lock(&locks[0]);
    }
    for (int i = 0; i < 3; i++)
        omp_destroy_lock(&locks[i]);
    return bucket[0] + own[0];
}
