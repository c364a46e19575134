//@ verdict: race
//@ race: a[*] 11 16
//@ about: a taskwait waits for the tasks of its thread; those of the same iteration of the loop before may be another's
int a[2], b[2];
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(i)
      a[i] = i + 1;
    }
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++) {
#pragma omp taskwait
      b[i] = a[i];
    }
  }
}
