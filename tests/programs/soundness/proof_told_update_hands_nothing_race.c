//@ verdict: race
//@ race: x 17 17
//@ about: a sum without one of its shares decides whether both threads write
#include <stdlib.h>
#include <omp.h>
int part[2], dummy, zero, total, yes = 1, no, x;
void add(int *to, int *from, int c) { if (c) *to += *from; }
int main(void) {
  add(&dummy, &zero, rand() & 1);
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) part[me]++;
#pragma omp single
    { add(&total, &part[0], yes); add(&total, &part[1], no); }
    if (total != 2) x++;
  }
}
