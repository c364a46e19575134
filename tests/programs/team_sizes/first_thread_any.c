//@ verdict: race-free
//@ threads: any
//@ about: the first thread is told from the others, and no other is
int x, y[3];
int main(void) {
#pragma omp parallel
  {
#pragma omp master
    x = 1;
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < 3; i++) y[i] = x;
#pragma omp single
    y[0] += 0;
  }
  return 0;
}
