//@ verdict: race-free
//@ threads: as-run
//@ about: with 8 threads all of them race
int n, x;
int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    n++;
#pragma omp barrier
#pragma omp single
    n &= 8;
    if (n) x++;
  }
  return 0;
}
