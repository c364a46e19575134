//@ verdict: defect
//@ defect: assertion
//@ options: --env OMP_DYNAMIC=true
//@ about: with OMP_DYNAMIC=true the team may be smaller than asked for.
#include <assert.h>
#include <omp.h>
int n;
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp atomic
    n++;
  }
  assert(n == 2);
  return 0;
}
