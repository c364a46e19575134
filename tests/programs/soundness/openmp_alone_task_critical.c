//@ verdict: defect
//@ defect: deadlock
//@ about: the creation of B inside the critical is a task scheduling point; the one thread may execute A there, which waits for the same critical section for ever. A may have been deferred.
int x, y;
int main(void) {
#pragma omp parallel num_threads(1)
  {
#pragma omp task
    {
#pragma omp critical(c)
      x++;
    }
#pragma omp critical(c)
    {
#pragma omp task
      y++;
    }
  }
  return 0;
}
