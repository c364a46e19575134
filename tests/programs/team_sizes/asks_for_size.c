//@ verdict: race-free
//@ threads: as-run
//@ about: slots for four threads
#include <omp.h>
int part[4];
int main(void) {
#pragma omp parallel
  part[omp_get_thread_num()]++;
  return 0;
}
