//@ verdict: race
//@ race: b 16 16
//@ about: the first thread has a slot of its own, all others have one in common; nobody asks for a number
int a, b;
int *slot;
#pragma omp threadprivate(slot)
int main(void) {
#pragma omp parallel num_threads(4)
  {
    slot = &b;
#pragma omp masked
    slot = &a;
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 8; i++)
      *slot = i;
  }
  return 0;
}
