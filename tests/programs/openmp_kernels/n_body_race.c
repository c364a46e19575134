//@ verdict: race
//@ race: f[*] 17 18
//@ race: f[*] 18 18
//@ about: forces between particles: action and reaction are added at once
#include <stdio.h>
#define N 60

int main(void)
{
    long x[N], f[N] = {0};
    for (int i = 0; i < N; i++)
        x[i] = (i * 17) % N;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        for (int j = i + 1; j < N; j++) {
            long pull = x[j] - x[i];
            f[i] += pull;
            f[j] -= pull;
        }
    printf("%ld\n", f[0]);
    return 0;
}
