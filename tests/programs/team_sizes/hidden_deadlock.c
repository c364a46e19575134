//@ verdict: race-free
//@ threads: as-run
//@ about: with 8 to 15 threads the first one locks twice
#include <omp.h>
int n;
omp_lock_t l;
int main(void) {
  omp_init_lock(&l);
#pragma omp parallel
  {
#pragma omp atomic
    n++;
#pragma omp barrier
#pragma omp master
    {
      n &= 8;
      omp_set_lock(&l);
      if (n) omp_set_lock(&l);
      omp_unset_lock(&l);
    }
  }
  return 0;
}
