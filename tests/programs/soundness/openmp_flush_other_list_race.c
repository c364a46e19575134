//@ verdict: race
//@ race: data 10 21
//@ about: data is not in the lists of the flushes; a flush with a list is no release or acquire flush (5.2, 15.8.5).
int data, flag, dummy, r;
int main(void) {
#pragma omp parallel sections num_threads(2)
  {
#pragma omp section
    {
      data = 1;
#pragma omp flush(dummy)
#pragma omp atomic write
      flag = 1;
    }
#pragma omp section
    {
      int f;
#pragma omp atomic read
      f = flag;
#pragma omp flush(dummy)
      if (f) r = data;
    }
  }
  return r > 1;
}
