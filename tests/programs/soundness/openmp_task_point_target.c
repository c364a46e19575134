//@ verdict: defect
//@ defect: deadlock
//@ about: a target region generates a target task: a scheduling point at its generation and completion (5.2, 12.9).
#include <omp.h>
omp_lock_t l;
int x, z;
int main(void) {
  omp_init_lock(&l);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task
    {
      omp_set_lock(&l);
      x++;
      omp_unset_lock(&l);
    }
    omp_set_lock(&l);
#pragma omp target map(tofrom: z)
    z++;
    omp_unset_lock(&l);
  }
  omp_destroy_lock(&l);
  return 0;
}
