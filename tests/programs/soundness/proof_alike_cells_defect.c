//@ verdict: defect
//@ defect: assertion 12
//@ about: a thread may execute iterations 0 and 2; nobody asks for his number, and each thread has its own array
#include <assert.h>
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int mine[4] = {0};
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++)
      mine[i]++;
    assert(!(mine[0] && mine[2]));
  }
  return 0;
}
