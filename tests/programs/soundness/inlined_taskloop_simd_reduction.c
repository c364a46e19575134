//@ verdict: unknown
//@ reason: a copy that belongs to their task
//@ about: what lanes combine is not told apart from what they share
int main(void) {
  int s = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop simd reduction(+ : s)
  for (int i = 0; i < 4; i++) s += i;
  return s;
}
