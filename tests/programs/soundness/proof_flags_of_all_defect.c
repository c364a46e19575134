//@ verdict: defect
//@ defect: assertion 17
//@ about: whether some thread has set its flag does not depend on who executes what, whether all have does
#include <assert.h>
#include <omp.h>
int flag[2], all = 1;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; i++) flag[me] = 1;
  }
  all = all && flag[0];
  all = all && flag[1];
  // One thread may have executed both pieces.
  assert(all);
}
