//@ verdict: defect
//@ defect: assertion
//@ about: one thread may execute both sections in either order (sections: order not given).
#include <assert.h>
int main(void) {
  int x = 0;
#pragma omp parallel num_threads(1)
  {
#pragma omp sections
    {
#pragma omp section
      x = 1;
#pragma omp section
      assert(x == 1);
    }
  }
  return 0;
}
