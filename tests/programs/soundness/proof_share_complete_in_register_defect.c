//@ verdict: defect
//@ defect: assertion 19
//@ about: X = s0 + s1 - s0 = s1: 0, 1 or 2.
#include <assert.h>
#include <omp.h>
int slot[2], X, Y, one = 1, bad;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; i++) slot[me] += 1;
#pragma omp critical
    bad = me;
  }
  X += slot[0] * one;
  X += slot[1] * one;
  X -= slot[0];
  assert(X == 1);
}
