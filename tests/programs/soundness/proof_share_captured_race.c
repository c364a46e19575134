//@ verdict: race
//@ race: x 12 13
//@ about: the old value of an atomic update of a share decides who writes
#include <stdatomic.h>
#include <omp.h>
atomic_int part[2]; int x;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++) if (atomic_fetch_add(&part[me], 1) == 1) x++;
    if (me == 1) x++;
  }
}
