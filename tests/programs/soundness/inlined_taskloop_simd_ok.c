//@ verdict: race-free
//@ about: lanes of a taskloop simd that share nothing
int a[8], b[8];
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop simd num_tasks(2)
  for (int i = 0; i < 8; i++) {
    int t = i * i;
    a[i] = t + b[i];
  }
  return 0;
}
