//@ verdict: unknown
//@ reason: a copy that belongs to their task
//@ about: every lane has its own x and p, but clang gives the whole task one
int a[8];
int main(void) {
  int x = 0, p = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop simd lastprivate(x) private(p)
  for (int i = 0; i < 8; i++) {
    x = p = i;
    a[i] = x + p;
  }
  return x;
}
