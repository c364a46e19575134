//@ verdict: race-free
//@ threads: as-run
//@ about: a reduction in which every thread takes part
#include <assert.h>
int main(void) {
  int n = 0;
#pragma omp parallel reduction(+ : n)
  n = 1;
  n &= 8;
  assert(n == 0);
  return 0;
}
