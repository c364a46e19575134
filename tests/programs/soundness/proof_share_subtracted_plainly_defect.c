//@ verdict: defect
//@ defect: assertion 16
//@ about: the difference of two threads' parts, by plain updates
#include <assert.h>
#include <omp.h>
int part[2], out;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part[me]++;
  }
  out += part[0];
  out -= part[1];
  assert(out == 0);
}
