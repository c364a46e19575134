//@ verdict: unknown
//@ reason: mergeable
//@ about: the child of a final task is included, and being mergeable may be a merged task: its y may be the parent's.
#include <assert.h>
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task final(1)
    {
      int y = 0;
#pragma omp task mergeable
      y = 1;
#pragma omp taskwait
      assert(y == 0);
    }
  }
  return 0;
}
