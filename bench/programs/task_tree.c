/* A binary tree of tasks of depth N, which add up their children's results. */
#ifndef THREADS
#define THREADS 8
#endif
#ifndef N
#define N 8
#endif

static int count(int depth) {
  int left = 0, right = 0;
  if (depth == 0)
    return 1;
#pragma omp task shared(left)
  left = count(depth - 1);
#pragma omp task shared(right)
  right = count(depth - 1);
#pragma omp taskwait
  return left + right;
}

int main(void) {
  int result = 0;
#pragma omp parallel num_threads(THREADS)
#pragma omp single
  result = count(N);
  return result != 1 << N;
}
