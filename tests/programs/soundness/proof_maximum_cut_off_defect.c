//@ verdict: defect
//@ defect: assertion 16
//@ about: a maximum of which the upper bits are cut off depends on the order
#include <assert.h>
#include <omp.h>
short x = 5;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int v = omp_get_thread_num() == 0 ? 40000 : 7;
#pragma omp critical
    // 40000 is stored as -25536, which is less than what was there.
    x = (short)__builtin_elementwise_max((int)x, v);
  }
  // -25536, if the first thread came last.
  assert(x == 7);
}
