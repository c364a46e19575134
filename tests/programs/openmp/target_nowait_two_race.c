//@ verdict: race
//@ race: v[*] 15 18
//@ about: target nowait twice on one array
#include <stdio.h>
#define N 100

int main(void)
{
    int v[N] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(tofrom : v)
        for (int i = 0; i < N; i++)
            v[i] += 1;
#pragma omp target nowait map(tofrom : v)
        for (int i = 0; i < N; i++)
            v[i] *= 2;
#pragma omp taskwait
    }
    printf("%d\n", v[0]);
    return 0;
}
