//@ verdict: race
//@ race: a[*] 8 8
//@ about: a simd loop in a lambda that is always inlined
int a[16];
int main() {
  auto chain = []() __attribute__((always_inline)) {
#pragma omp simd
    for (int i = 1; i < 16; i++) a[i] = a[i - 1] + 1;
  };
  chain();
}
