// A dense product, a scratch row for each thread, and a sum over all: what most OpenMP kernels are made of.
#include <assert.h>
#include <omp.h>
#ifndef N
#define N 40
#endif
static double a[N][N], b[N][N], c[N][N], part[64];

int main(void) {
  double trace = 0, all = 0;
#pragma omp parallel for collapse(2)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) {
      a[i][j] = i + j;
      b[i][j] = i == j;
    }
#pragma omp parallel
  {
    double row[N];
#pragma omp for schedule(dynamic)
    for (int i = 0; i < N; i++) {
      for (int j = 0; j < N; j++) {
        row[j] = 0;
        for (int k = 0; k < N; k++)
          row[j] += a[i][k] * b[k][j];
      }
      for (int j = 0; j < N; j++)
        c[i][j] = row[j];
      part[omp_get_thread_num()] += c[i][i];
    }
  }
#pragma omp parallel for reduction(+ : all)
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      all += c[i][j];
  for (int t = 0; t < 64; t++)
    trace += part[t];
  assert(trace == N * (N - 1));
  assert(all == N * N * (N - 1));
  return 0;
}
