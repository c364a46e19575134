//@ verdict: race-free
//@ about: taskloop grainsize(strict: 10): dependences inside a block of exactly ten
#include <assert.h>
#define N 200

int main(void)
{
    int a[N];
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(strict : 10)
    for (int i = 0; i < N; i++)
        a[i] = i % 10 == 0 ? 0 : a[i - 1] + 1;
    for (int i = 0; i < N; i++)
        assert(a[i] == i % 10);
    return 0;
}
