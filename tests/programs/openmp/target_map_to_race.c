//@ verdict: race
//@ race: v[*] 15 17
//@ about: target nowait map(to): on the host the mapped array is the original, which the host reads meanwhile
#include <stdio.h>
#define N 100

int main(void)
{
    int v[N] = {0}, sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp target nowait map(to : v)
        for (int i = 0; i < N; i++)
            v[i] = i;
        for (int i = 0; i < N; i++)
            sum += v[i];
#pragma omp taskwait
    }
    printf("%d\n", sum);
    return 0;
}
