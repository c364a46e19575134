//@ verdict: race-free
//@ about: teams distribute simd with independent iterations
#include <assert.h>
#define N 200

int main(void)
{
    int v[N];
#pragma omp teams distribute simd num_teams(2)
    for (int i = 0; i < N; i++)
        v[i] = i * 3;
    for (int i = 0; i < N; i++)
        assert(v[i] == i * 3);
    return 0;
}
