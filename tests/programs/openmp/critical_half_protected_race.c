//@ verdict: race
//@ race: calls 14 14
//@ about: critical: one of the two updates lies outside
#include <stdio.h>
#define N 200

int main(void)
{
    int total = 0, calls = 0;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
#pragma omp critical
        total += i;
        calls++;
    }
    printf("%d %d\n", total, calls);
    return 0;
}
