//@ verdict: race-free
//@ about: the same function is called by one thread where the `if` clause is false
#include <assert.h>
static void run(int several) {
  int x = 7, *p = &x;
#pragma omp parallel firstprivate(x) num_threads(2) if (several)
  {
    x++;
    assert(x == 8);
  }
  assert(*p == 7);
}
int main(void) {
  run(0);
  run(1);
  return 0;
}
