//@ verdict: race-free
//@ about: initialisation and three updates with the same static schedule, no barriers
#include <assert.h>
#define N 1000

static double x[N], y[N];

int main(void)
{
#pragma omp parallel
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            x[i] = i;
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            y[i] = 2.0 * x[i];
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            x[i] += y[i];
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++)
            y[i] = x[i];
    }
    for (int i = 0; i < N; i++)
        assert(y[i] == 3.0 * i);
    return 0;
}
