//@ verdict: unknown
//@ reason: a copy that belongs to their task
//@ about: the lanes of a task share its copy of t, and how many iterations a task has is open
int a[8];
int main(void) {
  int t = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop simd firstprivate(t)
  for (int i = 0; i < 8; i++) {
    t = i;
    a[i] = t;
  }
  return 0;
}
