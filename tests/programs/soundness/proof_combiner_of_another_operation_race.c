//@ verdict: race
//@ race: x 12 12
//@ about: the outcome of a combiner that does not fit decides whether both threads write
int x;
#pragma omp declare reduction(mx:int:omp_out = omp_in > omp_out ? omp_in : omp_out) initializer(omp_priv = 0)
int main(void) {
  int m = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic) reduction(mx:m)
    for (int i = 0; i < 4; i++) m += 1;
    if (m > 2) x++;
  }
}
