//@ verdict: race
//@ race: x[*] 15 18
//@ about: initialisation and update with nowait; the update runs backwards over the array
#include <stdio.h>
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
        for (int i = N - 1; i >= 0; i--)
            y[i] = 2.0 * x[i];
    }
    printf("%g\n", y[1]);
    return 0;
}
