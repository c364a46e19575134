//@ verdict: defect
//@ defect: assertion 19
//@ about: what an atomic capture gives back of a share depends on how many pieces the thread has executed
#include <assert.h>
#include <omp.h>
int part[2], out[4];
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) {
      int old;
#pragma omp atomic capture
      old = part[me]++;
      out[i] = old;
    }
  }
  assert(out[3] == 1);
}
