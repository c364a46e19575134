//@ verdict: race
//@ race: out[*] 14 14
//@ about: reduction(inscan): the sum is right, the array read beside it is not
#include <stdio.h>
#define N 100

int main(void)
{
    int run = 0, out[N] = {0};
#pragma omp parallel for reduction(inscan, + : run)
    for (int i = 0; i < N; i++) {
        run += i;
#pragma omp scan inclusive(run)
        out[i] = run + (i > 0 ? out[i - 1] : 0);
    }
    printf("%d\n", out[N - 1]);
    return 0;
}
