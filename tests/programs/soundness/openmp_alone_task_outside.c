//@ verdict: defect
//@ defect: assertion
//@ about: outside any parallel: the implicit parallel region's task may defer the explicit task up to taskwait.
#include <assert.h>
int x;
int main(void) {
#pragma omp task shared(x)
  x = 1;
  assert(x == 1);
#pragma omp taskwait
  return 0;
}
