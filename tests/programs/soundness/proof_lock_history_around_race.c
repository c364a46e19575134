//@ verdict: race
//@ race: x 13 13
//@ about: nor do acquisition histories of locks of the code around exclude two pieces
#include <omp.h>
int x; omp_lock_t l[2], m[2];
int main(void) {
  for (int i = 0; i < 2; i++) { omp_init_lock(&l[i]); omp_init_lock(&m[i]); }
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    omp_set_lock(&l[me]); omp_set_lock(&m[me]); omp_unset_lock(&m[me]);
#pragma omp for schedule(guided) nowait
    for (int i = 0; i < 3; i++) if (i != 1) x = i;
    omp_unset_lock(&l[me]);
  }
}
