//@ verdict: race
//@ race: data 12 23
//@ about: a flush with a list is neither a release nor an acquire flush (5.2, 15.8.5), and data is not in the list.
int data, flag;
int main(void) {
#pragma omp parallel num_threads(2) default(shared)
  {
#pragma omp sections
    {
#pragma omp section
      {
        data = 1;
#pragma omp flush(flag)
#pragma omp atomic write
        flag = 1;
      }
#pragma omp section
      {
        int f;
#pragma omp atomic read
        f = flag;
#pragma omp flush(flag)
        if (f) data = 2;
      }
    }
  }
  return 0;
}
