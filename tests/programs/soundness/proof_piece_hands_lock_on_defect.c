//@ verdict: defect
//@ defect: lock-misuse 14
//@ about: a piece of one loop sets a lock that a piece of the next one unsets: another thread may execute that, or first
#include <omp.h>
omp_lock_t l;
int main(void) {
  omp_init_lock(&l);
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++) if (i == 0) omp_set_lock(&l);
    // Every rotation of the pieces has both on one thread.
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++) if (i == 0) omp_unset_lock(&l);
  }
}
