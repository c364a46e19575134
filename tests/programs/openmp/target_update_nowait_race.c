//@ verdict: race
//@ race: a[*] 18 22
//@ about: target with nowait and depend, and a task that has no dependence on it
#include <stdio.h>
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
            // The host's version of the region.
            a[i] = i;
#pragma omp target update from(a) nowait depend(inout : a)
#pragma omp task shared(a)
        for (int i = 0; i < N; i++)
            a[i] += 1;
#pragma omp taskwait
    }
    printf("%d\n", a[5]);
    return 0;
}
