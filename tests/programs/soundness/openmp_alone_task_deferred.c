//@ verdict: defect
//@ defect: assertion
//@ about: a task of a team of one need not be included: it may be deferred to the barrier (5.2, 12.5, 12.9), so x may still be 0 at the assertion. One thread only, hence no race.
#include <assert.h>
int x;
int main(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    x = 1;
    assert(x == 1);
  }
  return 0;
}
