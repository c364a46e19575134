//@ verdict: unknown
//@ reason: omp_orig
//@ about: the language promises initialised copies; clang's code reads the original beside another thread's combination
#include <assert.h>
#pragma omp declare reduction(most : int : omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = omp_orig)
int main(void) {
  int s = 4;
#pragma omp parallel for num_threads(2) reduction(most : s)
  for (int i = 0; i < 4; i++)
    if (i * 2 > s) s = i * 2;
  assert(s == 6);
  return 0;
}
