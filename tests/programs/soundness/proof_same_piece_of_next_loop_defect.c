//@ verdict: defect
//@ defect: assertion 19
//@ about: iterations of two loops that every rotation gives to one thread: another may execute the second before the first
#include <assert.h>
int a[2], v[2];
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++)
#pragma omp critical
      a[i] = 1;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; i++)
#pragma omp critical
      v[i] = a[i];
  }
  // No race, but without the barrier the second loop may come first.
  assert(v[0] == 1);
}
