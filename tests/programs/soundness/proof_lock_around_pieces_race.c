//@ verdict: race
//@ race: x 13 13
//@ about: a lock that the code around holds is another one when another thread executes the piece
#include <omp.h>
int x; omp_lock_t l[2];
int main(void) {
  omp_init_lock(&l[0]); omp_init_lock(&l[1]);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    omp_set_lock(&l[me]);
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 3; i++) if (i != 1) x++;
    omp_unset_lock(&l[me]);
  }
}
