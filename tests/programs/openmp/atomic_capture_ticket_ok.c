//@ verdict: race-free
//@ about: atomic capture: every iteration draws its own slot
#include <assert.h>
#define N 4

int main(void)
{
    int next = 0;
    int slot[N];
    for (int i = 0; i < N; i++)
        slot[i] = -1;
#pragma omp parallel for
    for (int i = 0; i < N; i++) {
        int mine;
#pragma omp atomic capture
        mine = next++;
        slot[mine] = i;
    }
    int sum = 0;
    for (int i = 0; i < N; i++)
        sum += slot[i];
    assert(next == N && sum == N * (N - 1) / 2);
    return 0;
}
