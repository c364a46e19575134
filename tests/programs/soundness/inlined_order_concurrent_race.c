//@ verdict: race
//@ race: a[*] 7 7
//@ about: order(concurrent) in a function that is always inlined, in a team of one
int a[8];
static inline __attribute__((always_inline)) void chain(void) {
#pragma omp for order(concurrent)
  for (int i = 1; i < 8; i++) a[i] = a[i - 1];
}
int main(void) {
#pragma omp parallel num_threads(1)
  chain();
  return 0;
}
