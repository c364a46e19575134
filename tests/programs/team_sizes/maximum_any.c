//@ verdict: race-free
//@ threads: any
//@ about: a maximum that every thread contributes to in the same way
#include <assert.h>
int most;
int main(void) {
#pragma omp parallel
  {
#pragma omp critical
    if (most < 3) most = 3;
  }
  assert(most == 3);
  return 0;
}
