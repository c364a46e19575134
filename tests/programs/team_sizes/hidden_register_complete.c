//@ verdict: race-free
//@ threads: as-run
//@ about: two partial sums are complete only when they are added up
#include <assert.h>
static _Thread_local int first;
int a, b;
int main(void) {
  first = 1;
#pragma omp parallel
  {
    int mine = 1;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++) mine += i;
    if (first) {
      a += mine;
    } else {
#pragma omp critical
      b += mine;
    }
  }
  int s = a + b;
  assert(s != 51);
  return 0;
}
