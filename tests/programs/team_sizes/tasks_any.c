//@ verdict: race-free
//@ threads: any
//@ about: tasks that one thread creates
#include <assert.h>
static int fib(int n) {
  int a, b;
  if (n < 2) return n;
#pragma omp task shared(a)
  a = fib(n - 1);
#pragma omp task shared(b)
  b = fib(n - 2);
#pragma omp taskwait
  return a + b;
}
int main(void) {
  int r = 0;
#pragma omp parallel
#pragma omp single
  r = fib(5);
  assert(r == 5);
  return 0;
}
