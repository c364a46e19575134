//@ verdict: race-free
//@ about: a barrier orders the write behind all reads; the copies hold what the original held
#include <assert.h>
#include <stdbool.h>
static short s = 3;
int main(void) {
  int x = 1, *p = &x;
  float f = 2;
  float *of = &f;
  bool b = true;
  bool *ob = &b;
#pragma omp parallel firstprivate(x, f, b, s) num_threads(2)
  {
    assert(x == 1 && f == 2 && b && s == 3);
    x = 5;
    s++;
#pragma omp barrier
#pragma omp masked
    {
      *p = 2;
      *of = 3;
      *ob = false;
    }
  }
  assert(x == 2 && f == 3 && !b && s == 3);
  return 0;
}
