//@ verdict: race
//@ race: out[*] 13 13
//@ about: for linear: the copies are private, but a step of zero sends every iteration to the same element
#include <stdio.h>
#define N 200

int main(void)
{
    int out[2 * N] = {0};
    int k = 5, step = 0;
#pragma omp parallel for linear(k : step)
    for (int i = 0; i < N; i++)
        out[k] = i;
    printf("%d %d\n", k, out[5]);
    return 0;
}
