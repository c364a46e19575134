//@ verdict: race
//@ race: x 19 19
//@ about: a piece of an inner team on a thread of another number than the outer piece
#include <omp.h>
int x;
int main(void) {
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
  {
    int ome = omp_get_thread_num();
#pragma omp single
    {
#pragma omp parallel num_threads(2)
      {
        int mine = 0;
#pragma omp single
        mine = 1;
#pragma omp for schedule(static, 1)
        for (int j = 0; j < 2; j++) if (j == 0 || (ome == 0 && mine)) x++;
      }
    }
  }
}
