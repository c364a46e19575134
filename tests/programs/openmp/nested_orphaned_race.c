//@ verdict: race
//@ race: v[*] 14 14
//@ about: a function with a parallel loop of its own, called by all threads of a region
#include <omp.h>
#include <stdio.h>
#define N 40

static int v[N];

static void bump(void)
{
#pragma omp parallel for num_threads(2)
    for (int i = 0; i < N; i++)
        v[i]++;
}

int main(void)
{
#pragma omp parallel num_threads(2)
    bump();
    printf("%d\n", v[0]);
    return 0;
}
