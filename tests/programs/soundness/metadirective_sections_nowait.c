//@ verdict: unknown
//@ reason: of several constructs in one line
//@ about: the same for sections
int main(void) {
  int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp metadirective when(user = {condition(1)} : sections lastprivate(x) nowait) default(sections)
    {
#pragma omp section
      x = 1;
#pragma omp section
      x = 2;
    }
#pragma omp single
    y = x;
  }
  return y;
}
