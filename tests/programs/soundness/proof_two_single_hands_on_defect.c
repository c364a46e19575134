//@ verdict: defect
//@ defect: assertion 22
//@ about: who executes the block hands on its own sum instead of the first thread's
#include <assert.h>
int main(void) {
  int total = 0;
#pragma omp parallel num_threads(4)
  {
    int mine[1] = {0};
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++)
      mine[0] += i;
#pragma omp single
    {
#pragma omp critical
      total += mine[0];
    }
  }
  // 0 + 1 + 2 + 3, if one thread has executed all
  int whole = 6;
  int most = total;
  assert(most == whole);
  return 0;
}
