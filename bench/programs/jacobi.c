/* STEPS steps of Jacobi's iteration on SIZE x SIZE points by THREADS threads. */
#ifndef THREADS
#define THREADS 8
#endif
#ifndef SIZE
#define SIZE 100
#endif
#ifndef STEPS
#define STEPS 50
#endif

static double a[SIZE][SIZE], b[SIZE][SIZE];

int main(void) {
  for (int i = 0; i < SIZE; i++)
    a[i][0] = b[i][0] = 1;
#pragma omp parallel num_threads(THREADS)
  for (int s = 0; s < STEPS; s++) {
#pragma omp for
    for (int i = 1; i < SIZE - 1; i++)
      for (int j = 1; j < SIZE - 1; j++)
        b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
#pragma omp for
    for (int i = 1; i < SIZE - 1; i++)
      for (int j = 1; j < SIZE - 1; j++)
        a[i][j] = b[i][j];
  }
  return 0;
}
