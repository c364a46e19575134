//@ verdict: race-free
//@ about: taskloop nogroup followed by taskwait
#include <assert.h>
#define N 200

int main(void)
{
    int a[N] = {0}, last = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop nogroup grainsize(25)
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp taskwait
        last = a[N - 1];
    }
    assert(last == N - 1);
    return 0;
}
