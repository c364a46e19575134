//@ verdict: defect
//@ defect: assertion 13
//@ defect: assertion 15
//@ about: the sections of one thread may come in any order
#include <assert.h>
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int prev = -1;
#pragma omp sections
    {
#pragma omp section
      { assert(prev < 0); prev = 0; }
#pragma omp section
      { assert(prev < 1); prev = 1; }
#pragma omp section
      { assert(prev < 2); prev = 2; }
    }
  }
}
