//@ verdict: defect
//@ defect: deadlock
//@ about: the implicit tasks of the inner region are other tasks than the one that has set the nestable lock: thread 0 of the inner team waits for ever.
#include <omp.h>
omp_nest_lock_t l;
int x;
int main(void) {
  omp_init_nest_lock(&l);
  omp_set_nest_lock(&l);
#pragma omp parallel num_threads(1)
  {
    omp_set_nest_lock(&l);
    x++;
    omp_unset_nest_lock(&l);
  }
  omp_unset_nest_lock(&l);
  omp_destroy_nest_lock(&l);
  return 0;
}
