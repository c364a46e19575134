// record: free
// flags: -fopenmp
#include <omp.h>
#include <stdio.h>
static int fib(int n) {
    if (n < 2) return n;
    int a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
int main(void) {
    int r = 0;
#pragma omp parallel num_threads(3)
#pragma omp single
    r = fib(8);
    return r != 21;
}
