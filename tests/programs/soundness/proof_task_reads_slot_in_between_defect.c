//@ verdict: defect
//@ defect: assertion 18
//@ about: a task that reads the slot of its thread may be executed where that creates a task, between two writes
#include <assert.h>
#include <omp.h>
int slot[2], out[2];
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    slot[me] = 1;
#pragma omp task
    out[me] = slot[omp_get_thread_num()];
    slot[me] = 2;
  }
  // A thread executes tasks at the creation of its own, when its slot has 1, or at the barrier.
  // One thread does one thing after another: there is no race.
  assert(out[0] == 2);
}
