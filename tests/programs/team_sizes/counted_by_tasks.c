//@ verdict: race-free
//@ threads: as-run
//@ about: each thread creates a task that counts
#include <assert.h>
int n;
int main(void) {
#pragma omp parallel
  {
#pragma omp task
    {
#pragma omp atomic
      n++;
    }
  }
  assert(n != 6);
  return 0;
}
