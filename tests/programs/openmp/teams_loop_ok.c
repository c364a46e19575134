//@ verdict: race-free
//@ about: teams loop with a reduction
#include <assert.h>
#define N 200

int main(void)
{
    int sum = 0;
#pragma omp teams loop num_teams(2) reduction(+ : sum)
    for (int i = 0; i < N; i++)
        sum += i;
    assert(sum == N * (N - 1) / 2);
    return 0;
}
