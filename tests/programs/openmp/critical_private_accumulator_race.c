//@ verdict: race
//@ race: sum 19 19
//@ about: private accumulators, added up without protection
#include <stdio.h>
#define N 400

int main(void)
{
    int v[N];
    long sum = 0;
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp parallel
    {
        long mine = 0;
#pragma omp for
        for (int i = 0; i < N; i++)
            mine += v[i];
        sum += mine;
    }
    printf("%ld\n", sum);
    return 0;
}
