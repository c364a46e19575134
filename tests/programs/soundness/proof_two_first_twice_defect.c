//@ verdict: defect
//@ defect: assertion 24
//@ about: the first thread hands its sum on twice
#include <assert.h>
int main(void) {
  int total = 0;
#pragma omp parallel num_threads(4)
  {
    int mine[1] = {0};
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++)
      mine[0] += i;
#pragma omp critical
    total += mine[0];
#pragma omp masked
    {
#pragma omp critical
      total += mine[0];
    }
  }
  // 0 + 1 + 2 + 3, if the first has executed nothing
  int whole = 6;
  int most = total;
  assert(most == whole);
  return 0;
}
