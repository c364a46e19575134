//@ verdict: defect
//@ defect: assertion 15
//@ about: a part of a sum that is updated by another operation is still a part
#include <assert.h>
#include <omp.h>
int part[2];
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part[me]++;
  }
  part[0] ^= 8;
  assert(part[0] == 10);
}
