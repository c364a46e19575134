//@ verdict: race-free
//@ about: one thread reads the original before it combines its copy into it
#include <assert.h>
static void begin(int *copy, const int *original) { *copy = *original; }
#pragma omp declare reduction(most : int : omp_out = omp_in > omp_out ? omp_in : omp_out) \
    initializer(begin(&omp_priv, &omp_orig))
int main(void) {
  int s = 4;
#pragma omp parallel for num_threads(1) reduction(most : s)
  for (int i = 0; i < 4; i++)
    if (i * 2 > s) s = i * 2;
  assert(s == 6);
  return 0;
}
