//@ verdict: defect
//@ defect: assertion 10
//@ about: nonmonotonic guided: chunks may come in any order
#include <assert.h>
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int prev = -1;
#pragma omp for schedule(nonmonotonic: guided)
    for (int i = 0; i < 3; i++) { assert(i > prev); prev = i; }
  }
}
