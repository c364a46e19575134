//@ verdict: race-free
//@ about: two loops with reproducible schedules share their mapping
#include <assert.h>
int x[8], y[8];
int main(void) {
#pragma omp parallel
  {
#pragma omp for order(reproducible : concurrent) nowait
    for (int i = 0; i < 8; i++) x[i] = i;
#pragma omp for order(reproducible : concurrent)
    for (int i = 0; i < 8; i++) y[i] = x[i] + 2;
  }
  for (int i = 0; i < 8; i++) assert(y[i] == i + 2);
  return 0;
}
