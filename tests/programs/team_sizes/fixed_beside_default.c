//@ verdict: race-free
//@ threads: as-run
//@ about: a team of a size that the program gives keeps its thread's variables only beside teams of the same size
int n;
static _Thread_local int own;
int main(void) {
#pragma omp parallel num_threads(3)
  own = 1;
#pragma omp parallel
  {
#pragma omp atomic
    n += 2;
  }
  return 0;
}
