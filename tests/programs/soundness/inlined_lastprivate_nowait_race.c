//@ verdict: race
//@ race: x 7 14
//@ races: at-least
//@ about: a worksharing loop in a function that is always inlined: its nowait and lastprivate are read as elsewhere
int x, y;
static inline __attribute__((always_inline)) void last(void) {
#pragma omp for schedule(dynamic) lastprivate(x) nowait
  for (int i = 0; i < 2; i++) x = i;
}
int main(void) {
#pragma omp parallel num_threads(2)
  {
    last();
    if (x) y = 1;
  }
  return 0;
}
