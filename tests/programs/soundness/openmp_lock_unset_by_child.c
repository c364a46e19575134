//@ verdict: defect
//@ defect: lock-misuse
//@ about: unsetting a lock from a task that does not own it is non-conforming (5.2, 18.9.4): the owner is the implicit task.
#include <omp.h>
omp_lock_t l;
int main(void) {
  omp_init_lock(&l);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_set_lock(&l);
#pragma omp task if(0)
    omp_unset_lock(&l);
  }
  omp_destroy_lock(&l);
  return 0;
}
