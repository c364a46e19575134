//@ verdict: race
//@ race: g[*] 18 18
//@ about: a cell that a thread of the inner team owns, and two threads of the outer one use
#include <omp.h>
int g[2];
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int ome = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 3; i++)
      if (i != 1) {
        int k = (i / 2 + ome) % 2;
#pragma omp parallel num_threads(2)
        {
#pragma omp for schedule(dynamic)
          for (int j = 0; j < 2; j++) if (omp_get_thread_num() == 0) g[k]++;
        }
      }
  }
}
