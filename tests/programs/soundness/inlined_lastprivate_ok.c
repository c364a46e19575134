//@ verdict: race-free
//@ about: a worksharing loop in a function that is always inlined: the last iteration's value is written back, whatever its thread executes behind it
#include <assert.h>
static int x;
static inline __attribute__((always_inline)) void last(int *to) {
#pragma omp for schedule(dynamic) lastprivate(x)
  for (int i = 0; i < 3; i++) x = i;
#pragma omp single
  *to = x;
}
int main(void) {
  int y = 0;
#pragma omp parallel num_threads(2)
  last(&y);
  assert(y == 2);
  return 0;
}
