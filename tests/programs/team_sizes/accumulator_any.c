//@ verdict: race-free
//@ threads: any
//@ about: a private sum that begins with nothing is handed on by each thread
#include <assert.h>
int main(void) {
  int total = 0;
#pragma omp parallel
  {
    int mine = 0;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++) mine += i;
#pragma omp critical
    total += mine;
  }
  assert(total == 45);
  return 0;
}
