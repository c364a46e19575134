//@ verdict: race
//@ race: x 11 7
//@ races: at-least
//@ about: the copies of a bool, a double and a global, read by threads that come late
#include <stdbool.h>
static double x;
static void set(void) { x = 2; }
int main(void) {
  bool b = true;
  bool *of = &b;
#pragma omp parallel firstprivate(x, b) num_threads(2)
  {
    set();
    if (!b || x > 2) *of = false;
  }
  return 0;
}
