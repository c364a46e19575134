//@ verdict: unknown
//@ reason: mergeable
//@ about: OpenMP examples, mergeable: an undeferred mergeable task may be merged; then its x is the generating task's x, so x may be 3 after it.
#include <assert.h>
int main(void) {
  int x = 2;
#pragma omp task firstprivate(x) mergeable if(0)
  x++;
#pragma omp taskwait
  assert(x == 2);
  return 0;
}
