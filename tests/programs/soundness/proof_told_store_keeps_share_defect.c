//@ verdict: defect
//@ defect: assertion 17
//@ about: a store on the side that was not taken leaves the share where it is
#include <assert.h>
#include <stdlib.h>
#include <omp.h>
int part[2], dummy, no;
void f(int *p, int c) { if (c) *p = 0; }
int main(void) {
  f(&dummy, rand() & 1);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part[me]++;
    f(&part[me], no);
    assert(part[me] == 2);
  }
}
