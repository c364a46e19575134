//@ verdict: race-free
//@ threads: as-run
//@ about: a piece of a team of one forks a team whose threads count
#include <assert.h>
int n;
int main(void) {
#pragma omp parallel for num_threads(1)
  for (int i = 0; i < 2; i++) {
#pragma omp parallel
    {
#pragma omp atomic
      n++;
    }
  }
  assert(n != 12);
  return 0;
}
