//@ verdict: race-free
//@ about: four threads reduce, gather a private sum, and use rows of their own; the first two of them stand for all
#include <assert.h>
#include <omp.h>
int table[8], rows;
int main(void) {
  int most = 0, total = 0, size = 0;
#pragma omp parallel num_threads(4)
  {
    int row[8], mine = 0;
#pragma omp for schedule(dynamic) reduction(max : most)
    for (int i = 0; i < 8; i++) {
      for (int j = 0; j < 8; j++) row[j] = i * j;
      table[i] = row[7];
      mine += row[1];
      if (row[7] > most) most = row[7];
    }
#pragma omp critical
    total += mine;
#pragma omp masked
    size = omp_get_num_threads();
#pragma omp single
    rows = 8;
  }
  assert(most == 49 && total == 28 && table[3] == 21 && size == 4 && rows == 8);
  return 0;
}
