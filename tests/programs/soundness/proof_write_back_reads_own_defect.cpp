//@ verdict: defect
//@ defect: assertion 12
//@ about: dynamic is nonmonotonic: the thread of iteration 2 may execute iteration 0 behind it; operator= (at the end of the loop) then finds tp 0.
#include <cassert>
int tp, got = -1;
#pragma omp threadprivate(tp)
struct V { int v = 0; V() {} V(const V &o) : v(o.v) {} V &operator=(const V &o) { v = o.v; got = tp; return *this; } };
int main() {
  V x;
#pragma omp parallel for num_threads(2) schedule(nonmonotonic : dynamic) lastprivate(x)
  for (int i = 0; i < 3; i++) { x.v = i; tp = i; }
  assert(got == 2);
}
