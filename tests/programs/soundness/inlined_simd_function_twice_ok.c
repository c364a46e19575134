//@ verdict: race-free
//@ about: one function with a simd loop, inlined twice into another
int a[16], b[16];
static inline __attribute__((always_inline)) void fill(int *to) {
#pragma omp simd
  for (int i = 0; i < 16; i++) {
    int mine = i;
    to[i] = mine + 1;
  }
}
int main(void) {
  fill(a);
  fill(b);
  return 0;
}
