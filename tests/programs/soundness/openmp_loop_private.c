//@ verdict: unknown
//@ reason: may run at the same time
//@ about: loop implies order(concurrent): iterations on one thread may run concurrently; mine is the thread's and used by all its iterations.
int out;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int mine = 0;
#pragma omp loop bind(parallel)
    for (int i = 0; i < 4; i++) mine += i;
#pragma omp critical
    out += mine;
  }
  return 0;
}
