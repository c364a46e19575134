//@ verdict: race
//@ race: x 7 8
//@ races: at-least
//@ about: every thread of the team may read the original when it begins, so a write of it must be synchronised with that (OpenMP 5.2, 5.4.4)
int main(void) {
  int x = 1, *p = &x;
#pragma omp parallel firstprivate(x) num_threads(2)
  if (x == 1) *p = 2;
  return 0;
}
