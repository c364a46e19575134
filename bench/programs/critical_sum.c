/* A sum under a critical section, by THREADS threads. */
#include <assert.h>
#ifndef THREADS
#define THREADS 8
#endif
#ifndef N
#define N 100
#endif

int main(void) {
  long sum = 0;
#pragma omp parallel for num_threads(THREADS)
  for (int i = 0; i < N; i++) {
#pragma omp critical
    sum += i;
  }
  assert(sum == (long)N * (N - 1) / 2);
  return 0;
}
