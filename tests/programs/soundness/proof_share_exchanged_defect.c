//@ verdict: defect
//@ defect: assertion 15
//@ about: an atomic exchange in the code around the pieces gives back a share
#include <assert.h>
#include <stdatomic.h>
#include <omp.h>
atomic_int part[2];
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num(), old;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) atomic_fetch_add(&part[me], 1);
    old = atomic_exchange(&part[me], 0);
    assert(old == 2);
  }
}
