//@ verdict: race-free
//@ about: a loop that is marked for the vectoriser, but by no directive of OpenMP: its iterations come one after another
int a[16];
int main(void) {
#pragma clang loop vectorize(enable)
  for (int i = 1; i < 16; i++) a[i] = a[i - 1] + 1;
#pragma omp simd
  for (int i = 0; i < 16; i++) a[i]++;
  return 0;
}
