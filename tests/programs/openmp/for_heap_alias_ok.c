//@ verdict: race-free
//@ about: for: two pointers into one allocation that do not overlap
#include <assert.h>
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
    combine(base, base + N);
    for (int i = 0; i < N; i++)
        assert(base[i] == 1);
    free(base);
    return 0;
}
