//@ verdict: race-free
//@ about: task recursion: binomial coefficients with taskwait
#include <assert.h>

static int choose(int n, int k)
{
    if (k == 0 || k == n)
        return 1;
    int a, b;
#pragma omp task shared(a)
    a = choose(n - 1, k - 1);
#pragma omp task shared(b)
    b = choose(n - 1, k);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    int r = 0;
#pragma omp parallel
#pragma omp single
    r = choose(6, 3);
    assert(r == 20);
    return 0;
}
