//@ verdict: defect
//@ defect: assertion 15
//@ about: what a piece contributes to its thread's part depends on the thread: four pieces add up to 6 only if each thread has two
#include <assert.h>
#include <omp.h>
int part[2];
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part[me] += me + 1;
  }
  int sum = part[0] + part[1];
  assert(sum == 6);
}
