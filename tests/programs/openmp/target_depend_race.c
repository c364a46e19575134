//@ verdict: race
//@ race: v[*] 15 18
//@ about: target nowait with depend(out) and a host task that names no dependence
#include <stdio.h>
#define N 100

int main(void)
{
    int v[N] = {0}, sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : v) depend(out : v)
        for (int i = 0; i < N; i++)
            v[i] += 1;
#pragma omp task shared(sum)
        for (int i = 0; i < N; i++)
            sum += v[i];
    }
    printf("%d\n", sum);
    return 0;
}
