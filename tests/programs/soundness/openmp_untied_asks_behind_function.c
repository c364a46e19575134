//@ verdict: unknown
//@ reason: an untied task
//@ about: the taskwait in a called function.
#include <assert.h>
#include <omp.h>
static void w(void) {
#pragma omp task
  {
  }
#pragma omp taskwait
}
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task untied
    {
      int a = omp_get_thread_num();
      w();
      assert(a == omp_get_thread_num());
    }
  }
  return 0;
}
