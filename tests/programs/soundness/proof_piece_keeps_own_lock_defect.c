//@ verdict: defect
//@ defect: deadlock 9
//@ about: a thread that executes both pieces sets its lock twice
#include <omp.h>
omp_lock_t l[2];
int main(void) {
  omp_init_lock(&l[0]), omp_init_lock(&l[1]);
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < 2; i++) omp_set_lock(&l[omp_get_thread_num()]);
}
