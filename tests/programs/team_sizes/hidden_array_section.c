//@ verdict: race-free
//@ threads: as-run
//@ about: the same over a section of an array
#include <assert.h>
int main(void) {
  int a[2] = {0, 0};
#pragma omp parallel reduction(+ : a[0:2])
  { a[0] += 1; a[1] += 2; }
  a[0] &= 8;
  a[1] |= 15;
  assert(a[0] == 0 && a[1] == 15);
  return 0;
}
