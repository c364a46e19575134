//@ verdict: race-free
//@ flags: -fopenmp
//@ about: a maximum kept by a branch under the lock; the assertion needs that the order does not matter
#include <assert.h>
#define N 1000
static int a[N];
int main(void)
{
    int max = -1;
    for (int i = 0; i < N; i++)
        a[i] = (i * 37) % 1009;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp critical
        if (a[i] > max)
            max = a[i];
    }
    assert(max == 1008);
    return 0;
}
