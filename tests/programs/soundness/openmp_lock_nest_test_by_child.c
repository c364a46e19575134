//@ verdict: defect
//@ defect: assertion
//@ about: omp_test_nest_lock of a child gives 0: the parent task owns the lock (5.2, 18.9.5).
#include <assert.h>
#include <omp.h>
omp_nest_lock_t l;
int main(void) {
  omp_init_nest_lock(&l);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    omp_set_nest_lock(&l);
#pragma omp task if(0)
    assert(omp_test_nest_lock(&l) != 0);
    omp_unset_nest_lock(&l);
  }
  return 0;
}
