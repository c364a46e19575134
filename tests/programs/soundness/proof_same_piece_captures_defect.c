//@ verdict: defect
//@ defect: assertion 18
//@ about: the same with atomic updates, of which the second captures
#include <assert.h>
int a[2], v[2];
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++)
#pragma omp atomic
      a[i]++;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; i++)
#pragma omp atomic capture
      v[i] = a[i]++;
  }
  assert(v[0] == 1);
}
