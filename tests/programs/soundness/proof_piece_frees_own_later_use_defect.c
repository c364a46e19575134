//@ verdict: defect
//@ defect: use-after-free 15
//@ about: phase 1: a piece frees its thread's buffer; phase 2: another piece writes that of its thread.
#include <omp.h>
#include <stdlib.h>
int *p[3];
int main(void) {
  for (int k = 0; k < 3; k++) p[k] = malloc(4);
#pragma omp parallel num_threads(3)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 1; i++) free(p[me]);
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 3; i++) if (i == 1) *p[me] = 1;
  }
}
