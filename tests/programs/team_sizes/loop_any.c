//@ verdict: race-free
//@ threads: any
//@ about: iterations that nobody else touches, and a sum by a reduction
#include <assert.h>
int a[24];
int main(void) {
  int sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 24; i++) {
    a[i] = i;
    sum += i;
  }
  assert(sum == 276);
  return 0;
}
