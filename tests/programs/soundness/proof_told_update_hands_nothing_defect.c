//@ verdict: defect
//@ defect: assertion 19
//@ about: an update on the side that was not taken does not make a sum complete
#include <assert.h>
#include <stdlib.h>
#include <omp.h>
int part[2], dummy, zero, total, yes = 1, no;
void add(int *to, int *from, int c) { if (c) *to += *from; }
int main(void) {
  add(&dummy, &zero, rand() & 1);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part[me]++;
  }
  add(&total, &part[0], yes);
  add(&total, &part[1], no);
  assert(total == 2);
}
