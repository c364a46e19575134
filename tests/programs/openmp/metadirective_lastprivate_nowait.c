//@ verdict: unknown
//@ reason: of several constructs in one line
//@ about: whether the barrier behind the loop is the language's depends on the variant that the compiler has chosen
int main(void) {
  int x = 0, y = 0;
#pragma omp parallel num_threads(2)
  {
#pragma omp metadirective when(user = {condition(1)} : for schedule(dynamic) lastprivate(x) nowait) default(for)
    for (int i = 0; i < 2; i++) x = i;
#pragma omp single
    y = x;
  }
  return y;
}
