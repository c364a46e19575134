//@ verdict: defect
//@ defect: assertion 24
//@ about: pieces of the outer loop come in any order, whoever owns the cell in the inner one
#include <assert.h>
#include <omp.h>
int c;
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp for schedule(dynamic)
  for (int i = 0; i < 4; i++)
    if (i % 2 == 0) {
#pragma omp parallel num_threads(2)
      {
#pragma omp for schedule(dynamic) nowait
        for (int j = 0; j < 2; j++) {
#pragma omp critical
          if (omp_get_thread_num() == 0) c = -1;
        }
#pragma omp critical
        if (omp_get_thread_num() == 0) c = i;
      }
    }
  assert(c == 2);
}
