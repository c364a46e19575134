//@ verdict: race-free
//@ about: taskloop: independent iterations, and the implicit taskgroup
#include <assert.h>
#define N 200

int main(void)
{
    int a[N], b[N];
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp taskloop
        for (int i = 0; i < N; i++)
            b[i] = a[N - 1 - i];
    }
    for (int i = 0; i < N; i++)
        assert(b[i] == N - 1 - i);
    return 0;
}
