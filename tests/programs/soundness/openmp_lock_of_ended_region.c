//@ verdict: defect
//@ defect: lock-misuse
//@ about: the lock is owned by an implicit task that has ended; another task (of thread 0) unsets it: non-conforming.
#include <omp.h>
omp_lock_t l;
int main(void) {
  omp_init_lock(&l);
#pragma omp parallel num_threads(2)
  {
#pragma omp masked
    omp_set_lock(&l);
  }
  omp_unset_lock(&l);
  omp_destroy_lock(&l);
  return 0;
}
