//@ verdict: race-free
//@ about: sieve: the multiples of one prime are struck out together
#include <assert.h>
#define N 500

static char composite[N];

int main(void)
{
    int primes = 0;
    for (int p = 2; p * p < N; p++) {
        if (composite[p])
            continue;
#pragma omp parallel for
        for (int m = p * p; m < N; m += p)
            composite[m] = 1;
    }
#pragma omp parallel for reduction(+ : primes)
    for (int i = 2; i < N; i++)
        primes += !composite[i];
    assert(primes == 95);
    return 0;
}
