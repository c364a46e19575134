//@ verdict: race-free
//@ about: what each thread keeps between regions is its own: all four of them execute every piece
#include <assert.h>
int kept;
#pragma omp threadprivate(kept)
int main(void) {
  int total = 0;
#pragma omp parallel num_threads(4)
  {
    kept = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 6; i++) kept += i;
#pragma omp critical
    total += kept;
  }
  assert(total == 15);
  return 0;
}
