//@ verdict: defect
//@ defect: assertion
//@ about: two independent tasks of a team of one may be executed in either order.
#include <assert.h>
int last;
int main(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    last = 1;
#pragma omp task
    last = 2;
#pragma omp taskwait
    assert(last == 2);
  }
  return 0;
}
