//@ verdict: race-free
//@ flags: -fopenmp
//@ about: a minimum kept by a conditional expression under the lock steers the program afterwards
#include <assert.h>
#define N 500
static double a[N];
int main(void)
{
    double min = 1e30;
    for (int i = 0; i < N; i++)
        a[i] = (i * 31) % 499 + 0.5;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < N; i++) {
#pragma omp critical
        min = a[i] < min ? a[i] : min;
    }
    assert(min == 0.5);
    return 0;
}
