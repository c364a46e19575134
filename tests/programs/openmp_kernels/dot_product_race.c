//@ verdict: race
//@ race: dot 17 22
//@ about: dot product and projection: the reduction is used before it is complete
#include <stdio.h>
#define N 1000

int main(void)
{
    static int x[N], y[N], z[N];
    long dot = 0;
    for (int i = 0; i < N; i++) {
        x[i] = i % 10;
        y[i] = 2;
    }
#pragma omp parallel
    {
#pragma omp for reduction(+ : dot) nowait
        for (int i = 0; i < N; i++)
            dot += x[i] * y[i];
#pragma omp for
        for (int i = 0; i < N; i++)
            z[i] = (int)(x[i] * dot);
    }
    printf("%d\n", z[1]);
    return 0;
}
