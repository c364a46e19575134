//@ verdict: race
//@ race: a[*] 8 8
//@ about: order(concurrent) lets all iterations of one thread run concurrently; schedule(static) with one thread for all: team of one.
int a[8];
int main(void) {
#pragma omp parallel num_threads(1)
#pragma omp for order(concurrent)
  for (int i = 1; i < 8; i++) a[i] = a[i - 1] + 1;
  return 0;
}
