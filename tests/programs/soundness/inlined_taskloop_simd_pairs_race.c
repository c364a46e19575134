//@ verdict: race
//@ race: a[*] 9 9
//@ about: tasks of two iterations each; the two lanes of a task write one element
int a[4];
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskloop simd grainsize(strict: 2)
  for (int i = 0; i < 8; i++) a[i / 2] = i;
  return 0;
}
