//@ verdict: race-free
//@ about: target enter data, update and exit data with nowait, ordered by depend
#include <assert.h>
#define N 200

static int a[N];

int main(void)
{
#pragma omp parallel
#pragma omp single
    {
#pragma omp target enter data map(to : a) nowait depend(out : a)
#pragma omp target nowait depend(inout : a) map(a)
        for (int i = 0; i < N; i++)
            a[i] = i;
#pragma omp target update from(a) nowait depend(inout : a)
#pragma omp task depend(inout : a)
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma omp target exit data map(from : a) nowait depend(in : a)
#pragma omp taskwait
    }
    for (int i = 0; i < N; i++)
        assert(a[i] == i + 1);
    return 0;
}
