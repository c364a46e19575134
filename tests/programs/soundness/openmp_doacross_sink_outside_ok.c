//@ verdict: race-free
//@ about: sink (i-1, j+1): for j = M-1 it names no iteration and is ignored (OpenMP 5.2, 15.9.5); (i, M-2) has waited for (i-1, M-1) before. All conflicts (a[i-1][j]) are ordered; no iteration waits for one that does not exist.
#include <assert.h>
int a[3][3];
int main(void) {
#pragma omp parallel for num_threads(3) ordered(2) schedule(dynamic)
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
#pragma omp ordered depend(sink : i - 1, j + 1)
      a[i][j] = (i > 0 ? a[i - 1][j] : 0) + 1;
#pragma omp ordered depend(source)
    }
  assert(a[2][2] == 3);
}
