//@ verdict: defect
//@ defect: assertion 10
//@ about: pieces add, and the combiner takes the greatest: the result depends on who executes how many
#include <assert.h>
#pragma omp declare reduction(mx:int:omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = 0)
int main(void) {
  int m = 0;
#pragma omp parallel for num_threads(2) schedule(dynamic) reduction(mx:m)
  for (int i = 0; i < 4; i++) m += 1;
  assert(m == 2);
}
