//@ verdict: race-free
//@ about: a schedule that every variant fixes in the same way
int a[8], b[8];
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp metadirective when(user = {condition(1)} : for schedule(static) nowait) default(for schedule(static))
    for (int i = 0; i < 8; i++) a[i] = i;
#pragma omp for schedule(static)
    for (int i = 0; i < 8; i++) b[i] = a[i];
  }
  return 0;
}
