//@ verdict: race
//@ race: part[*] 14 14
//@ about: two inner teams beside each other: the numbers that execute their blocks are independent
#include <omp.h>
int part[2];
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int o = omp_get_thread_num();
#pragma omp parallel num_threads(2)
    {
#pragma omp single
      part[omp_get_thread_num() ^ o]++;
    }
  }
}
