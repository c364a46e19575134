//@ verdict: race
//@ race: sum|*peek 15 20
//@ about: parallel reduction: a pointer reaches the original, which the team combines into before the region ends
#include <stdio.h>
#define N 400

int main(void)
{
    int v[N];
    int seen[N];
    long sum = 0;
    long *peek = &sum;
    for (int i = 0; i < N; i++)
        v[i] = i % 7;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp for nowait
        for (int i = 0; i < N; i++) {
            sum += v[i];
            seen[i] = *peek > 0;
        }
    }
    printf("%ld %d\n", sum, seen[1]);
    return 0;
}
