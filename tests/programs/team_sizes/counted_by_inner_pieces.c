//@ verdict: race-free
//@ threads: as-run
//@ about: each thread has a loop of its own in a team of one
#include <assert.h>
int n;
int main(void) {
#pragma omp parallel
  {
#pragma omp parallel for num_threads(1)
    for (int i = 0; i < 2; i++) {
#pragma omp atomic
      n++;
    }
  }
  assert(n != 12);
  return 0;
}
