//@ verdict: race
//@ race: x 12 12
//@ options: --threads 5
//@ about: the same with five
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
