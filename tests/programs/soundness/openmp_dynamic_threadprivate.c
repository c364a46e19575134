//@ verdict: defect
//@ defect: assertion
//@ about: with dyn-var true threadprivate values of other threads need not persist (5.2, 5.2).
#include <assert.h>
#include <omp.h>
int tp;
#pragma omp threadprivate(tp)
int main(void) {
  omp_set_dynamic(1);
#pragma omp parallel num_threads(2)
  tp = 7;
#pragma omp parallel num_threads(2)
  assert(tp == 7);
  return 0;
}
