//@ verdict: defect
//@ defect: assertion
//@ about: orphaned sections outside parallel: a team of one; the order of the blocks is implementation defined.
#include <assert.h>
int main(void) {
  int x = 0;
#pragma omp sections
  {
#pragma omp section
    x = 1;
#pragma omp section
    assert(x == 1);
  }
  return 0;
}
