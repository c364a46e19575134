//@ verdict: defect
//@ defect: assertion 18
//@ about: a share that is added twice on the side of a branch that was taken
#include <assert.h>
#include <stdlib.h>
#include <omp.h>
int part[2], d[3], out, yes = 1;
void g(int *p, int *q, int *to, int c) { int s = *p; if (c) s += s; s += *q; *to = s; }
int main(void) {
  g(&d[0], &d[1], &d[2], rand() & 1);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part[me]++;
  }
  g(&part[0], &part[1], &out, yes);
  assert(out == 6);
}
