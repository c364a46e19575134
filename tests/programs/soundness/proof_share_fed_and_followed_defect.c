//@ verdict: defect
//@ defect: assertion 19
//@ about: Y = 2*s0 + s1 with s0 + s1 = 2: 2, 3 or 4.
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
  X = slot[0];
  X += slot[0];
  Y = X + slot[1];
  assert(Y == 3);
}
