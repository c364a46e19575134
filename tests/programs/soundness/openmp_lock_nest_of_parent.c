//@ verdict: defect
//@ defect: deadlock
//@ about: locks are owned by tasks (5.2, 18.9): the undeferred child does not own the nestable lock that its parent has set, so its omp_set_nest_lock waits for ever.
#include <omp.h>
omp_nest_lock_t l;
int x;
int main(void) {
  omp_init_nest_lock(&l);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_set_nest_lock(&l);
#pragma omp task if(0)
    {
      omp_set_nest_lock(&l);
      x++;
      omp_unset_nest_lock(&l);
    }
    omp_unset_nest_lock(&l);
  }
  omp_destroy_nest_lock(&l);
  return 0;
}
