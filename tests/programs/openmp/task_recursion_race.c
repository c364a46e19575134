//@ verdict: race
//@ race: calls 10 10
//@ about: task recursion: the results are waited for, the counter of calls is not protected
#include <stdio.h>

static int calls;

static int choose(int n, int k)
{
    calls++;
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
    printf("%d %d\n", r, calls);
    return 0;
}
