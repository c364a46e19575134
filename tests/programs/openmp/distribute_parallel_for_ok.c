//@ verdict: race-free
//@ undecided: the proof does not gather lanes of nested teams
//@ about: teams distribute parallel for, also with simd, reduction and schedule
#include <assert.h>
#define N 300

int main(void)
{
    int v[N], sum = 0;
#pragma omp teams distribute parallel for num_teams(2) num_threads(2)
    for (int i = 0; i < N; i++)
        v[i] = i;
#pragma omp teams distribute parallel for simd num_teams(2) num_threads(2) reduction(+ : sum) schedule(static, 4)
    for (int i = 0; i < N; i++)
        sum += v[i];
    assert(sum == N * (N - 1) / 2);
    return 0;
}
