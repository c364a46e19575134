//@ verdict: defect
//@ defect: deadlock 14
//@ about: a lock of the code around is no common outer lock of two pieces: their opposite orders deadlock
#include <omp.h>
omp_lock_t a, b, l[2];
int main(void) {
  omp_init_lock(&a); omp_init_lock(&b); omp_init_lock(&l[0]); omp_init_lock(&l[1]);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    omp_set_lock(&l[me]);
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 3; i++) {
      if (i == 0) { omp_set_lock(&a); omp_set_lock(&b); omp_unset_lock(&b); omp_unset_lock(&a); }
      if (i == 2) { omp_set_lock(&b); omp_set_lock(&a); omp_unset_lock(&a); omp_unset_lock(&b); }
    }
    omp_unset_lock(&l[me]);
  }
}
