//@ verdict: race-free
//@ threads: as-run
//@ about: a task changes what the threads have counted
int n, a[9];
int main(void) {
#pragma omp parallel
  {
#pragma omp critical
    n++;
#pragma omp barrier
#pragma omp single
    {
#pragma omp task
      n |= 7;
#pragma omp taskwait
      a[n] = 1;
    }
  }
  return 0;
}
