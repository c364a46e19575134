//@ verdict: defect
//@ defect: deadlock
//@ about: while the implicit task has the nestable lock it creates B (a scheduling point) and may execute A, a different task: A waits for ever for the lock on the thread that has it below.
#include <omp.h>
omp_nest_lock_t l;
int x, y;
int main(void) {
  omp_init_nest_lock(&l);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
      omp_set_nest_lock(&l);
      x++;
      omp_unset_nest_lock(&l);
    }
    omp_set_nest_lock(&l);
#pragma omp task
    y++;
    x++;
    omp_unset_nest_lock(&l);
  }
  omp_destroy_nest_lock(&l);
  return 0;
}
