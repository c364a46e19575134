//@ verdict: defect
//@ defect: assertion 22
//@ about: all threads but the first hand their sums on: that is the whole sum only if the first has executed nothing
#include <assert.h>
int main(void) {
  int total = 0;
#pragma omp parallel num_threads(4)
  {
    int mine[1] = {0}, first = 0;
#pragma omp masked
    first = 1;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++)
      mine[0] += i;
    if (!first) {
#pragma omp critical
      total += mine[0];
    }
  }
  // 0 + 1 + 2 + 3
  int whole = 6;
  assert(total == whole);
  return 0;
}
