//@ verdict: defect
//@ defect: assertion 16
//@ about: work that is distributed on three levels: all numbers can differ
#include <assert.h>
#include <omp.h>
int main(void) {
  omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    int m = omp_get_thread_num();
#pragma omp parallel num_threads(2)
#pragma omp single
    assert(omp_get_thread_num() == m);
  }
}
