//@ verdict: race
//@ race: a[*] 8 8
//@ options: --threads 2..4
//@ about: with 4 they race
int a[30];
int main(void) {
#pragma omp parallel for schedule(static, 1)
  for (int i = 6; i < 30; i++) a[i] = a[i - 6] + 1;
  return 0;
}
