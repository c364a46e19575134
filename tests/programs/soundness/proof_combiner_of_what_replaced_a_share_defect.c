//@ verdict: defect
//@ defect: assertion 22
//@ about: a copy of a reduction had a thread's part, and then something that the order of threads decides
#include <assert.h>
#include <omp.h>
#pragma omp declare reduction(plus : int : omp_out = omp_out + omp_in) initializer(omp_priv = 0)
int part[2], last, r;
int main(void) {
#pragma omp parallel num_threads(2) reduction(plus : r)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part[me]++;
#pragma omp critical
    last = me;
#pragma omp barrier
    int p = part[me];
    r = p + 0;
    r = last;
  }
  // Twice the number of the thread that came last.
  assert(r == 0);
}
