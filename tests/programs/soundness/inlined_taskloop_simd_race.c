//@ verdict: race
//@ race: a[*] 9 9
//@ about: lanes of a taskloop simd, all in one task
int a[8];
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop simd num_tasks(1)
  for (int i = 1; i < 8; i++) a[i] = a[i - 1];
  return 0;
}
