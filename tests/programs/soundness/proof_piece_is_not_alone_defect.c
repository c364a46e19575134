//@ verdict: defect
//@ defect: assertion 17
//@ about: two pieces write the cell of their thread, and the first finds what the other left if that came before
#include <assert.h>
#include <omp.h>
int own[2], seen[4];
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
#pragma omp for schedule(nonmonotonic : dynamic)
    for (int i = 0; i < 4; i++)
      if (i % 2 == 0) {
        seen[i] = own[me];
        own[me] = i + 1;
      }
    if (me == 0) assert(seen[0] == 0);
  }
}
