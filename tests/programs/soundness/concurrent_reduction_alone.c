//@ verdict: unknown
//@ reason: in a team of one thread
//@ about: with order(concurrent) even iterations of one thread may run at the same time
int main(void) {
  int s = 0, a[8] = {0};
#pragma omp parallel num_threads(1)
  {
#pragma omp for order(concurrent) reduction(+ : s)
    for (int i = 1; i < 8; i++) {
      a[i] = a[i - 1] + 1;
      s += i;
    }
  }
  return s;
}
