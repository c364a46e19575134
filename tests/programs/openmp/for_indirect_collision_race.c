//@ verdict: race
//@ race: out[*] 15 15
//@ about: for: the index table has one value twice
#include <stdio.h>
#define N 101

int main(void)
{
    int perm[N], out[N];
    for (int i = 0; i < N; i++)
        perm[i] = (i * 10) % N;
    perm[30] = perm[70];
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[perm[i]] = i;
    printf("%d\n", out[0]);
    return 0;
}
