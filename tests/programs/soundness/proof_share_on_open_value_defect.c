//@ verdict: defect
//@ defect: assertion 17
//@ about: shares are added to what the last piece of another loop left, which is open
#include <assert.h>
#include <omp.h>
int part[2], last[2];
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) last[me] = i;
    part[me] = last[me];
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 4; i++) part[me] += 1;
  }
  assert(part[0] + part[1] == 9);
}
