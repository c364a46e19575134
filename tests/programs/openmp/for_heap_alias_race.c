//@ verdict: race
//@ race: base[*]|lower[*]|upper[*] 12 12
//@ about: for: two pointers into one allocation overlap
#include <stdio.h>
#include <stdlib.h>
#define N 100

static void combine(int *lower, const int *upper)
{
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        lower[i] = upper[i] + 1;
}

int main(void)
{
    int *base = calloc(2 * N, sizeof *base);
    combine(base, base + N / 2);
    printf("%d\n", base[0]);
    free(base);
    return 0;
}
