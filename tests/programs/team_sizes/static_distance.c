//@ verdict: race-free
//@ threads: as-run
//@ options: --threads 2..3
//@ about: with 2 and 3 threads iterations six apart are on one thread, with 4 they are not
int a[30];
int main(void) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 6; i < 30; i++) a[i] = a[i - 6] + 1;
  return 0;
}
