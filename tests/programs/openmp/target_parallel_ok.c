//@ verdict: race-free
//@ undecided: the proof gathers nothing in a team of one thread
//@ about: target parallel for and target teams distribute parallel for with reductions
#include <assert.h>
#define N 100

int main(void)
{
    int v[N], total = 0, high = 0;
#pragma omp target parallel for map(from : v)
    for (int i = 0; i < N; i++)
        v[i] = 2 * i;
#pragma omp target teams distribute parallel for map(to : v) map(tofrom : total, high) reduction(+ : total) \
    reduction(max : high)
    for (int i = 0; i < N; i++) {
        total += v[i];
        high = v[i] > high ? v[i] : high;
    }
    assert(total == N * (N - 1) && high == 2 * N - 2);
    return 0;
}
