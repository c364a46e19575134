//@ verdict: race
//@ race: composite[*] 14 17
//@ race: composite[*] 17 17
//@ about: sieve: the primes are shared out; several write the same 1, and one may be read meanwhile
#include <stdio.h>
#define N 500

static char composite[N];

int main(void)
{
#pragma omp parallel for schedule(dynamic)
    for (int p = 2; p < 23; p++) {
        if (composite[p])
            continue;
        for (int m = p * p; m < N; m += p)
            composite[m] = 1;
    }
    printf("%d\n", composite[4]);
    return 0;
}
