//@ verdict: race
//@ race: x 9 9
//@ about: the lock is local to the call: it excludes nobody; pieces 0 and 2 may be on different threads.
#include <omp.h>
int x;
static void f(void) {
  omp_lock_t l;
  omp_init_lock(&l);
  omp_set_lock(&l); x++; omp_unset_lock(&l);
  omp_destroy_lock(&l);
}
int main(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < 4; i++) if (i % 2 == 0) f();
}
