//@ verdict: defect
//@ defect: double-free 10
//@ about: the buffer is freed by whichever thread executes the piece, a double free if one executes both.
#include <omp.h>
#include <stdlib.h>
int *p[2];
int main(void) {
  p[0] = malloc(4); p[1] = malloc(4);
#pragma omp parallel for num_threads(2) schedule(dynamic)
  for (int i = 0; i < 2; i++) free(p[omp_get_thread_num()]);
}
