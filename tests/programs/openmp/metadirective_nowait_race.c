//@ verdict: race
//@ race: x 9 12
//@ races: at-least
//@ about: all variants agree in what the compiler leaves out
int main(void) {
  int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp metadirective when(user = {condition(1)} : for schedule(dynamic) lastprivate(x) nowait)
    for (int i = 0; i < 2; i++) x = i;
#pragma omp single
    y = x;
  }
  return y;
}
