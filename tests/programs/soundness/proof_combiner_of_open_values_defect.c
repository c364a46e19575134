//@ verdict: defect
//@ defect: assertion 17
//@ about: what goes into a user-defined reduction is open for another reason
#include <assert.h>
#include <omp.h>
#pragma omp declare reduction(ad:int:omp_out += omp_in) initializer(omp_priv = 0)
int main(void) {
  int m = 0, g = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp critical
    g = omp_get_thread_num();
#pragma omp barrier
#pragma omp for schedule(static,1) reduction(ad:m)
    for (int i = 0; i < 2; i++) m += g;
  }
  assert(m == 2);
}
