//@ verdict: race
//@ race: v[*] 16 18
//@ about: target data with a region that runs on, while the host updates and writes
#include <stdio.h>
#define N 100

int main(void)
{
    int v[N] = {0};
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp target data map(tofrom : v)
    {
#pragma omp target nowait
        for (int i = 0; i < N; i++)
            v[i] += 1;
        for (int i = 0; i < N; i++)
            v[i] = 7;
#pragma omp target update to(v)
#pragma omp taskwait
    }
    printf("%d\n", v[0]);
    return 0;
}
