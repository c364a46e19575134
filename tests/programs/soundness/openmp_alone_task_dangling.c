//@ verdict: defect
//@ defect: use-after-free
//@ about: the deferred task of a team of one uses make()'s local after make() has returned.
#include <stdlib.h>
int out;
static void make(void) {
  int *p = malloc(sizeof *p);
  *p = 5;
#pragma omp task shared(out) firstprivate(p)
  out = *p;
  free(p);
}
int main(void) {
#pragma omp parallel num_threads(1)
  make();
  return 0;
}
