//@ verdict: race
//@ race: x 13 15
//@ about: a lock of the task that waits below is not held by the tasks that it waits for
#include <omp.h>
int x; omp_lock_t l;
int main(void) {
  omp_init_lock(&l);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_set_lock(&l);
#pragma omp task
    x = 1;
#pragma omp task
    x = 2;
#pragma omp taskwait
    omp_unset_lock(&l);
  }
}
