//@ verdict: race-free
//@ threads: as-run
//@ about: threads count themselves; five of them would race
int n, x;
int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    n++;
#pragma omp barrier
    if (n == 5) x = n;
  }
  return 0;
}
