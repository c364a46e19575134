//@ verdict: race-free
//@ threads: as-run
//@ about: each thread adds what the lanes of its own loop have gathered
#include <assert.h>
int n;
int main(void) {
#pragma omp parallel
  {
    int mine = 0;
#pragma omp simd reduction(+ : mine)
    for (int i = 0; i < 4; i++) mine += i;
#pragma omp atomic
    n += mine;
  }
  assert(n != 36);
  return 0;
}
