//@ verdict: defect
//@ defect: assertion
//@ about: tasks of a taskloop nogroup in a team of one may run after the assertion.
#include <assert.h>
int x;
int main(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp taskloop nogroup
    for (int i = 0; i < 2; i++) x += 1;
    assert(x == 2);
  }
  return 0;
}
