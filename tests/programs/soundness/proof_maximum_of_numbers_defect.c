//@ verdict: defect
//@ defect: assertion 17
//@ about: a maximum to which each piece contributes the number of its thread
#include <assert.h>
#include <omp.h>
int most;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int v = omp_get_thread_num() * 10;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 2; i++) {
#pragma omp critical
      if (v > most) most = v;
    }
  }
  assert(most == 10);
}
