//@ verdict: defect
//@ defect: assertion 17
//@ about: the sum of all shares is open if a value that the order of sections decides is added
#include <assert.h>
#include <omp.h>
int part[2], g;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp critical
    g = me;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part[me] += 1;
    part[me] += g;
  }
  assert(part[0] + part[1] == 6);
}
