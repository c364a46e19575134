//@ verdict: defect
//@ defect: assertion
//@ about: with dyn-var true num_threads(2) may give one thread (5.2, 10.1.1), and then the spin never ends; here an assertion.
#include <assert.h>
#include <omp.h>
int main(void) {
  int n = 0;
  omp_set_dynamic(1);
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    n++;
  }
  assert(n == 2);
  return 0;
}
