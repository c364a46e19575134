//@ verdict: race-free
//@ threads: as-run
//@ about: one byte of a sum is looked at
#include <assert.h>
int n;
int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    n += 32;
  }
  assert(((unsigned char *)&n)[1] == 0);
  return 0;
}
