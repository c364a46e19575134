//@ verdict: race-free
//@ threads: as-run
//@ about: an index that doubles with every thread leaves the array with more than four
int a[17], p = 1;
int main(void) {
#pragma omp parallel
  {
#pragma omp critical
    p *= 2;
  }
  a[p] = 1;
  return 0;
}
