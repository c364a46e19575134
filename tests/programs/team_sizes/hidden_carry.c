//@ verdict: race-free
//@ threads: as-run
//@ about: the upper half of a sum
unsigned long long n; int x;
int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    n += 0x30000000ull;
#pragma omp barrier
    if (((unsigned *)&n)[1]) x++;
  }
  return 0;
}
