//@ verdict: race
//@ race: x 10 10
//@ about: nonmonotonic dynamic: a thread may execute a later iteration first
int x;
int main(void) {
#pragma omp parallel num_threads(2)
  {
    int prev = -1;
#pragma omp for schedule(nonmonotonic: dynamic)
    for (int i = 0; i < 4; i++) { if (i < prev) x++; prev = i; }
  }
}
