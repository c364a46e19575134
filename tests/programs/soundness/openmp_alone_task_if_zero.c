//@ verdict: defect
//@ defect: assertion
//@ about: parallel if(0): a team of one; tasks in it may still be deferred.
#include <assert.h>
int x;
int main(void) {
#pragma omp parallel if(0)
  {
#pragma omp task
    x = 1;
    assert(x == 1);
  }
  return 0;
}
