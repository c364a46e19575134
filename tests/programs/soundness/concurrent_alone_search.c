//@ verdict: unknown
//@ reason: compared by the proof from one run alone
//@ options: --engine race-graph --judge off
//@ about: a search executes the iterations of one thread one after another
int a[8];
int main(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp loop bind(parallel)
    for (int i = 1; i < 8; i++) a[i] = a[i - 1] + 1;
  }
  return 0;
}
