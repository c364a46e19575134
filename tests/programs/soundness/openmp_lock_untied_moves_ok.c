//@ verdict: race-free
//@ about: the task owns the lock: an untied task that was resumed by another thread may unset it.
#include <omp.h>
omp_lock_t l;
int x;
int main(void) {
  omp_init_lock(&l);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task untied
    {
      omp_set_lock(&l);
#pragma omp task
      {
      }
#pragma omp taskwait
      x++;
      omp_unset_lock(&l);
    }
  }
  omp_destroy_lock(&l);
  return 0;
}
