//@ verdict: race-free
//@ threads: as-run
//@ about: an atomic operation gives back what the threads have counted
#include <assert.h>
int n;
int main(void) {
  int seen = 0;
#pragma omp parallel
  {
#pragma omp atomic
    n++;
  }
#pragma omp atomic capture
  seen = n++;
  assert(seen < 5);
  return 0;
}
