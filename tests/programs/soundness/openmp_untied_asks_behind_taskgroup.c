//@ verdict: unknown
//@ reason: an untied task
//@ about: the end of a taskgroup is a scheduling point: an untied task may go on elsewhere.
#include <assert.h>
#include <omp.h>
static void g(void) {
#pragma omp taskgroup
  {
#pragma omp task
    {
    }
  }
}
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task untied
    {
      int a = omp_get_thread_num();
      g();
      assert(a == omp_get_thread_num());
    }
  }
  return 0;
}
