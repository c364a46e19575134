//@ verdict: race-free
//@ threads: as-run
//@ about: each thread adds one of its own: the sum depends on how many they are, and fails with 7
#include <assert.h>
int main(void) {
  int total = 0;
#pragma omp parallel
  {
    int mine = 1;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++) mine += i;
#pragma omp critical
    total += mine;
  }
  assert(total != 52);
  return 0;
}
