//@ verdict: race-free
//@ about: lanes in a task that share nothing; what each declares is its own
int a[16];
int main(void) {
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp task
  {
#pragma omp simd
    for (int i = 0; i < 16; i++) {
      int mine = i * 2;
      if (mine > 8) mine++;
      a[i] = mine;
    }
  }
  return 0;
}
