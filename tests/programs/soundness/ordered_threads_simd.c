//@ verdict: unknown
//@ reason: ordered threads simd
//@ about: clang 19 drops `threads`
int a[16];
int main(void) {
#pragma omp parallel for simd ordered num_threads(2) schedule(dynamic)
  for (int i = 1; i < 16; i++) {
#pragma omp ordered threads simd
    a[i] = a[i - 1] + 1;
  }
  return 0;
}
