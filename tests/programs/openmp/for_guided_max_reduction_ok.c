//@ verdict: race-free
//@ about: for schedule(guided): the maximum as a reduction
#include <assert.h>
#define N 300

int main(void)
{
    int v[N];
    int peak = -1;
    for (int i = 0; i < N; i++)
        v[i] = (i * 37) % N;
#pragma omp parallel for schedule(guided) reduction(max : peak)
    for (int i = 0; i < N; i++) {
        if (v[i] > peak)
            peak = v[i];
    }
    assert(peak == N - 1);
    return 0;
}
