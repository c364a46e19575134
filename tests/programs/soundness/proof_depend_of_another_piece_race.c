//@ verdict: race
//@ race: a[*] 11 16
//@ about: tasks of the same iteration of two loops are siblings only if one thread executes both
int a[2], b[2];
int main(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(i) depend(out : a[i])
      a[i] = i + 1;
    }
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(i) depend(in : a[i])
      b[i] = a[i];
    }
  }
}
