//@ verdict: race
//@ race: x 15 15
//@ about: a maximum of thread numbers decides whether all threads write
#include <omp.h>
int most, x;
int main(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 3; i++) {
      int v = omp_get_thread_num();
#pragma omp critical
      if (v > most) most = v;
    }
    if (most < 2) x = 1;
  }
}
