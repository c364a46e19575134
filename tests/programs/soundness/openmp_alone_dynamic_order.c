//@ verdict: defect
//@ defect: assertion
//@ about: dynamic is nonmonotonic by default (5.2, 11.5.3): a team of one may execute the chunks in any order.
#include <assert.h>
int main(void) {
  int prev = -1;
#pragma omp parallel num_threads(1)
  {
#pragma omp for schedule(dynamic, 1)
    for (int i = 0; i < 3; i++) {
      assert(prev < i);
      prev = i;
    }
  }
  return 0;
}
