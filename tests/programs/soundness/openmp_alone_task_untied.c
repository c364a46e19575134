//@ verdict: defect
//@ defect: use-after-free
//@ about: deferred in a team of one, the task of the loop sees the freed list.
#include <stdlib.h>
int s;
int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp master
  {
    int *p = calloc(2, sizeof *p);
    for (int i = 0; i < 2; i++) {
#pragma omp task untied
      s += p[i];
    }
    free(p);
  }
  return 0;
}
