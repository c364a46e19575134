//@ verdict: defect
//@ defect: assertion 17
//@ about: the inner implicit tasks read the number of the outer thread: if thread 0 executes all pieces, any stays 0.
#include <assert.h>
#include <omp.h>
int any, num[2] = {0, 1};
int main(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < 4; i++) {
    int *p = &num[omp_get_thread_num()];
#pragma omp parallel num_threads(2)
    {
#pragma omp critical
      any = any || *p == 1;
    }
  }
  assert(any == 1);
}
