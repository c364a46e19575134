//@ verdict: defect
//@ defect: assertion 16
//@ about: the side of a branch that was not taken counts as another behaviour than the one that was
#include <assert.h>
#include <stdlib.h>
#include <omp.h>
int d, sum;
void upd(int *m, int x, int c) { if (c) *m += x; }
int main(void) {
  upd(&d, 0, rand() & 1);
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < 4; i++) {
#pragma omp critical
    upd(&sum, 1, omp_get_thread_num() == 0);
  }
  assert(sum == 2);
}
