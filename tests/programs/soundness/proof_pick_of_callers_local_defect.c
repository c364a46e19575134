//@ verdict: defect
//@ defect: assertion 15
//@ about: dynamic pieces may all be executed by thread 0; then no piece sees number 1, any stays 0.
#include <assert.h>
#include <omp.h>
int any;
static void upd(int *q) {
#pragma omp critical
  any = any || *q == 1;
}
static void body(void) { int v = omp_get_thread_num(); upd(&v); }
int main(void) {
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < 4; i++) body();
  assert(any == 1);
}
