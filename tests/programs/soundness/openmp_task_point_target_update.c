//@ verdict: unknown
//@ reason: which clang drops
//@ about: target update is a task scheduling point (5.2, 12.9): the thread with the lock may execute the task there.
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
#pragma omp target update to(z)
    omp_unset_lock(&l);
  }
  omp_destroy_lock(&l);
  return 0;
}
