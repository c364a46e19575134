//@ verdict: race
//@ race: a[*] 9 9
//@ about: loop in a team of one: order(concurrent) lets iterations run concurrently.
int a[8];
int main(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp loop bind(parallel)
    for (int i = 1; i < 8; i++) a[i] = a[i - 1] + 1;
  }
  return 0;
}
