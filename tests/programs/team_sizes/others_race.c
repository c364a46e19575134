//@ verdict: race
//@ race: x 12 12
//@ options: --threads 2..3
//@ about: with two threads one beside the first writes; with three there are two of them
#include <omp.h>
int x;
static _Thread_local int first;
int main(void) {
  first = 1;
#pragma omp parallel
  {
    if (!first) x = 1;
  }
  return 0;
}
