/* Function calls: Fibonacci numbers the slow way. */
#ifndef N
#define N 30
#endif

static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }

int main(void) { return fib(N) == 7; }
