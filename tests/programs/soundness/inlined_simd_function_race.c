//@ verdict: race
//@ race: a[*] 7 7
//@ about: a simd loop in a function that is always inlined
int a[16];
static inline __attribute__((always_inline)) void chain(void) {
#pragma omp simd
  for (int i = 1; i < 16; i++) a[i] = a[i - 1] + 1;
}
int main(void) {
  chain();
  return 0;
}
