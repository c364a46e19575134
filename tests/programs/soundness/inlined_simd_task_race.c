//@ verdict: race
//@ race: a[*] 11 11
//@ about: clang inlines the code of a task and merges the blocks of the loop: its lanes are found all the same
int a[16];
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
  {
#pragma omp simd
    for (int i = 1; i < 16; i++) a[i] = a[i - 1] + 1;
  }
  return 0;
}
