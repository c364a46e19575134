//@ verdict: race-free
//@ about: for: indirect writes through a permutation
#include <assert.h>
#define N 101

int main(void)
{
    int perm[N], out[N];
    for (int i = 0; i < N; i++)
        perm[i] = (i * 10) % N;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
        out[perm[i]] = i;
    for (int i = 0; i < N; i++)
        assert(out[perm[i]] == i);
    return 0;
}
