//@ verdict: unknown
//@ reason: OpenMP order(concurrent), or loop, with a reduction and not combined with `parallel` or `teams`
//@ reason-line: 9
//@ about: two threads, among which any two iterations meet; race-free, but not decided
int main(void) {
  int s = 0, a[4] = {0};
#pragma omp parallel num_threads(2)
  {
#pragma omp for order(concurrent) reduction(+ : s)
    for (int i = 0; i < 4; i++) {
      a[i] = i;
      s += i;
    }
  }
  return s;
}
