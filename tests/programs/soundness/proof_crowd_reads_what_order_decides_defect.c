//@ verdict: defect
//@ defect: assertion 16
//@ about: what the last of many iterations finds depends on the order of critical sections, as with the first ones
#include <assert.h>
int last = -1, seen[8];
int main(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < 8; i++) {
#pragma omp critical
    {
      seen[i] = last;
      last = i;
    }
  }
  // The last iteration may come first.
  assert(seen[7] >= 0);
}
