//@ verdict: race-free
//@ threads: as-run
//@ about: what is counted is copied before somebody looks at it
#include <assert.h>
#include <string.h>
struct pair { int n, m; } one, two;
int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    one.n++;
  }
  memcpy(&two, &one, sizeof two);
  struct pair three = two;
  assert(three.n < 5);
  return 0;
}
