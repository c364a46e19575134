//@ verdict: race-free
//@ threads: as-run
//@ about: a count that a maximum hides
#include <assert.h>
int n;
int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    n++;
#pragma omp barrier
#pragma omp critical
    if (n < 6) n = 6;
  }
  assert(n == 6);
  return 0;
}
