//@ verdict: race
//@ race: b 14 14
//@ about: the first thread has a slot of its own, all others have one in common, known by a private pointer
int a, b;
int main(void) {
#pragma omp parallel num_threads(4)
  {
    int *slot = &b;
#pragma omp masked
    slot = &a;
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 8; i++)
      *slot = i;
  }
  return 0;
}
