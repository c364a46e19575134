//@ verdict: race-free
//@ threads: as-run
//@ about: what the threads have counted is masked before somebody looks at it
#include <assert.h>
int n;
int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    n++;
  }
  n &= 8;
  assert(n == 0);
  return 0;
}
